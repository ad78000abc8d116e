import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { newLanes } from '../../database/batches/lane-batcher.ts';
import type { Pool } from '../../database/pool.ts';
import { newId } from '../../platform/ids.ts';
import { SettlementStore } from '../store/settle/settle.ts';
import type { Settlement } from '../store/settle/settlement.ts';
import { WalletRetries } from '../store/wallet-retries.ts';

const MB = 1024 * 1024;
const SETTLED: Settlement = {
  ...{ status: 'succeeded', outcome: 'succeeded', errorCode: null, cancelled: false, providerError: null, engine: 'a' },
  ...{ charge: 0n, chargeKind: 'charge', pages: 1, pagesTotal: 1, warnings: [], warning: null, metadata: null },
  ...{ appliedSettings: null, text: '', preview: null, confidence: null, providerLatencyMs: null },
  ...{ pageRows: [], attempts: [], webhookUrl: null },
};

/** Settles requests that end at once, each with a text so long; the ends of each statement, in its order. */
async function batchesOf(lengths: readonly number[]): Promise<number[][]> {
  const batches: number[][] = [];
  const pool = {
    query: async ({ values: [json] }: { values: [string] }) => {
      const ends = JSON.parse(json) as { n: number; passing: string }[]; // what the statement takes
      expect(ends.map(({ n }) => n)).toEqual(ends.map((_, n) => n));
      batches.push(ends.map(({ passing }) => passing.length));
      return { rows: ends.map(({ n }) => ({ n, history: true })) };
    },
  } as unknown as Pool; // the part that is asked
  const store = new SettlementStore(pool, {
    ...{ lanes: newLanes(), walletRetries: new WalletRetries(), onAnnounced: () => undefined },
  });
  const ending = () =>
    ({ id: newId('ocr_'), accountId: randomUUID(), fence: 1, mode: 'sync', createdAt: new Date() }) as const;
  await Promise.all(
    lengths.map((length) => store.settle(ending(), { ...SETTLED, text: 'x'.repeat(length) }, { passText: true })),
  );
  return batches;
}

it('settles together what ends together, up to sixteen million characters or one that is longer', async () => {
  expect(await batchesOf([1, 2, 3])).toEqual([[1], [2, 3]]); // after a pause one goes first
  expect(await batchesOf([6 * MB, 6 * MB, 6 * MB, 6 * MB, 20 * MB, 1])).toEqual([
    [6 * MB],
    [6 * MB, 6 * MB],
    [6 * MB],
    [20 * MB],
    [1],
  ]);
});
