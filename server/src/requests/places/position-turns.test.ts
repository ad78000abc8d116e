import { expect, it } from 'vitest';
import { PositionTurns } from './position-turns.ts';

const MB = 1024 * 1024;
const FOREVER = new AbortController().signal;

it('an account that has used up its time waits, and no other one does', async () => {
  const turns = new PositionTurns({ hasOthers: () => true });
  expect(turns.beforePlacing('greedy', 1000, FOREVER)).toBeNull();
  await turns.beforePlacing('greedy', 100 * MB, AbortSignal.abort());
  const waiting = turns.load('greedy', async () => ({ found: 'late', bytes: 0 }));
  expect(await turns.load('other', async () => ({ found: 'lines', bytes: MB }))).toBe('lines');
  expect(turns.beforePlacing('other', 1000, FOREVER)).toBeNull();
  expect(await Promise.race([waiting, 'still waiting'])).toBe('still waiting');
});

it('a request that is stopped does not wait any longer', async () => {
  const turns = new PositionTurns({ hasOthers: () => true });
  await turns.beforePlacing('greedy', 1000 * MB, AbortSignal.abort());
  const stop = new AbortController();
  const waiting = turns.beforePlacing('greedy', MB, stop.signal);
  stop.abort();
  await waiting;
});

it('an account that is alone has all the time there is', () => {
  const turns = new PositionTurns({ hasOthers: () => false });
  for (let n = 0; n < 10; n++) expect(turns.beforePlacing('alone', 1000 * MB, FOREVER)).toBeNull();
});
