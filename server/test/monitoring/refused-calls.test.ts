import { afterAll, beforeEach, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool } from '../../src/database/pool.ts';
import type { KeptCall } from '../../src/monitoring/refusals/refusal-buffer.ts';
import { RefusalStore } from '../../src/monitoring/refusals/refusal-store.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const HOUR_MS = 3_600_000;
const pool = openPool(await createDatabase(), { max: 5, log: makeLog('silent'), kind: 'background' });
afterAll(() => pool.end());
beforeEach(() => pool.query('truncate refused_call, refused_hour'));

const MOST = 2000;
const store = new RefusalStore(pool, MOST);
const account = (n: number) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;

/** Calls of one party, from `from` on, by ids in their order. */
function calls(party: string, many: number, { from = 0, at = new Date() }: { from?: number; at?: Date } = {}) {
  return Array.from({ length: many }, (_, n): KeptCall => {
    const requestId = `req_${String(from + n).padStart(8, '0')}_${party.slice(-4)}`;
    const accountId = party.startsWith('address') ? null : party;
    const refused = {
      requestId,
      status: 429,
      code: 'rate_limited',
      message: 'Too many.',
      method: 'GET',
      path: '/v1/ocr',
    };
    return { ...refused, ...{ accountId, keyId: null, engine: null, party, at } };
  });
}

function write(...parties: KeptCall[][]): Promise<void> {
  return store.write({ counts: [], calls: parties.flat() });
}

async function kept(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ party: string; calls: number }>(
    `select coalesce(account_id, '') as party, count(*)::int as calls from refused_call group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ party, calls: many }) => [party, many]));
}

it('forgets calls after three days, and counts after thirty-one', async () => {
  const before = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  await write(calls(account(1), 3, { at: before(73) }), calls(account(1), 2, { from: 10, at: before(71) }));
  const kind = { engine: '', account_id: account(1), key_id: '', status: 429, code: 'rate_limited' };
  await store.write({
    counts: [before(745), before(743)].map((hour, n) => ({ ...kind, hour, calls: n + 1 })),
    calls: [],
  });
  await store.forgetOld();
  expect(await kept()).toEqual({ [account(1)]: 2 });
  const { rows } = await pool.query<{ calls: bigint }>('select calls from refused_hour');
  expect(rows).toEqual([{ calls: 2n }]);
});

it('keeps so many in all, and of who floods what the others leave: the newest', async () => {
  // Older than everything of the flood, and yet none of it goes.
  await write(
    calls(account(1), 150),
    calls(account(2), 40),
    calls('address 7', 60),
    calls(account(3), 3000, { from: 200 }),
  );
  await store.forgetOld();
  expect(await kept()).toEqual({ '': 60, [account(1)]: 150, [account(2)]: 40, [account(3)]: 1750 });
  expect(await store.find('req_00000000_0001')).toMatchObject({ accountId: account(1) });
  expect(await store.find('req_00003199_0003')).toMatchObject({ accountId: account(3) });
  expect(await store.find('req_00001449_0003')).toBeNull();
  expect(await store.find('req_00001450_0003')).toMatchObject({ accountId: account(3) });
});

it('has those that flood share what the others leave alike', async () => {
  await write(calls(account(1), 100), calls('address 7', 1300), calls(account(2), 1100));
  await store.forgetOld();
  expect(await kept()).toEqual({ '': 950, [account(1)]: 100, [account(2)]: 950 });
  await write(...Array.from({ length: 300 }, (_, n) => calls(account(n + 10), 10)));
  await store.forgetOld();
  const left = Object.values(await kept());
  expect(left).toHaveLength(303); // nobody lost all
  expect(Math.max(...left)).toBe(6);
});

it('forgets nothing of less than 200,000 where nobody says otherwise', async () => {
  await write(calls(account(1), MOST + 1));
  await new RefusalStore(pool).forgetOld();
  expect(await kept()).toEqual({ [account(1)]: MOST + 1 });
});

it('leaves everything that is neither old nor too much', async () => {
  await write(calls(account(1), 5), calls('address 1', 5));
  await store.forgetOld();
  expect(await kept()).toEqual({ '': 5, [account(1)]: 5 });
});
