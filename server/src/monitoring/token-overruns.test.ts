import { expect, it } from 'vitest';
import type { Log } from '../platform/logging/log.ts';
import { TokenOverruns } from './token-overruns.ts';

const HOUR_MS = 3_600_000;

function overruns() {
  const lines: object[] = [];
  const clock = { now: 0 };
  const log = { warn: (fields: object) => void lines.push(fields) } as unknown as Log; // as far as it is asked
  return { lines, clock, overruns: new TokenOverruns(log, { now: () => clock.now }) };
}

const of = (engine: string, calls: number, inputTokens: number) => ({
  engine,
  overrun: { calls, page: { input: inputTokens, output: 10 }, most: { input: 100, output: 50 } },
});

it('tells an engine at once, then once an hour, with the calls since and the largest page of them', () => {
  const { lines, clock, overruns: told } = overruns();
  told.note([of('a', 1, 120), { engine: 'b', overrun: null }]);
  expect(lines).toEqual([
    { engine: 'a', calls: 1, inputTokens: 120, outputTokens: 10, mostInputTokens: 100, mostOutputTokens: 50 },
  ]);
  told.note([of('a', 2, 400)]);
  told.note([of('c', 1, 130)]);
  clock.now = HOUR_MS - 1;
  told.note([of('a', 1, 150)]);
  expect(lines).toHaveLength(2); // of `c`, too
  clock.now = HOUR_MS;
  told.note([of('a', 1, 110)]);
  expect(lines[2]).toMatchObject({ engine: 'a', calls: 4, inputTokens: 400 });
  clock.now = HOUR_MS + 1;
  told.note([of('a', 1, 500)]);
  expect(lines).toHaveLength(3);
});
