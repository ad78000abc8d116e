import { describe, expect, it } from 'vitest';
import { missingRedis } from '../house/redis.ts';
import { showReport } from './show-report.ts';
import { runUnderLoad } from './under-load.ts';

const SEED = 7;
const SECONDS = 5;
const missing = missingRedis();
if (missing) console.log(`skipped: ${missing}`);

describe('after kill -9 of any process under load', { timeout: 600_000 }, () => {
  it('every accepted request ends once, with the charge of the contract and its webhook', async () => {
    await expectWhole({ redis: false });
  });

  it.skipIf(missing !== null)('so it does where the work is split over Redis', async () => {
    await expectWhole({ redis: true });
  });
});

async function expectWhole({ redis }: { redis: boolean }) {
  const report = await runUnderLoad({ seed: SEED, seconds: SECONDS, redis, faults: ['kills'] });
  expect(report.broken, showReport(report)).toEqual([]);
  expect(report.evidence.rows.length).toBeGreaterThan(0);
}
