import { expect, it } from 'vitest';
import { replay, type Stretch } from './replay.ts';

const RULE = {
  kind: 'engine_down',
  engineId: null,
  threshold: null,
  severity: null,
  fireAfter: 3,
  recoverAfter: 2,
  cooldownMinutes: 0,
  enabled: true,
} as const;
const AT = { engineId: 'reader', checkEveryMs: 30_000 };
const MINUTE = 60_000;

function stretch(fromMinute: number, toMinute: number, bad: boolean | null): Stretch {
  return { fromMs: fromMinute * MINUTE, toMs: toMinute * MINUTE, bad, detail: 'no answer' };
}

it('fires at the check that completes the row', () => {
  const past = [stretch(0, 5, false), stretch(5, 10, true), stretch(10, 15, false)];
  expect(replay(RULE, past, AT)).toEqual([
    { at: new Date('1970-01-01T00:06:00.000Z'), engineId: 'reader', detail: 'no answer' },
  ]);
});

it('does not fire for what was shorter, or is not known', () => {
  expect(replay(RULE, [stretch(0, 1, true), stretch(1, 5, false), stretch(5, 60, null)], AT)).toEqual([]);
});

it('counts each time that it came back', () => {
  const past = [stretch(0, 5, true), stretch(5, 10, false), stretch(10, 15, true)];
  expect(replay(RULE, past, AT)).toHaveLength(2);
});
