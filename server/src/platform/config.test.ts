import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it('lets a reading that is finished wait a quarter of an hour for its database', () => {
  expect(readConfig({}).outageLimitMs).toBe(900_000);
  expect(readConfig({ OUTAGE_LIMIT_MS: '2000' }).outageLimitMs).toBe(2000);
});
