import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SingleTurns } from './single-turns.ts';

it('begins what comes at once a turn each, of one party, and lets no other party wait for it', async () => {
  const turns = new SingleTurns();
  const begun: string[] = [];
  const begin = (party: string, name: string) => void turns.next(party).then(() => begun.push(name));
  for (const name of ['a1', 'a2', 'a3']) begin('a', name);
  begin('b', 'b1');
  await Promise.resolve().then(() => undefined);
  expect(begun.toSorted()).toEqual(['a1', 'b1']);
  const seen: number[] = [];
  for (let n = 0; n < 6; n++) {
    await turn();
    seen.push(begun.length);
  }
  expect(begun.slice(-2)).toEqual(['a2', 'a3']);
  expect(Math.max(...seen.slice(1).map((now, n) => now - (seen[n] ?? 0)))).toBe(1);
  begin('a', 'a4');
  await Promise.resolve().then(() => undefined);
  expect(begun.at(-1)).toBe('a4');
});
