import { expect, it } from 'vitest';
import { timelineBars } from './timeline-bars.ts';

const START = Date.parse('2026-11-21T10:00:00Z');

it('lays the stretches of a life one after the other', () => {
  const bars = timelineBars(
    {
      createdAt: at(0),
      startedAt: at(100),
      finishedAt: at(1000),
      documentMs: 50,
      attempts: [
        { number: 1, engine: 'mistral', startedAt: at(150), finishedAt: at(400), outcome: 'refused' },
        { number: 2, engine: 'tesseract', startedAt: at(400), finishedAt: at(960), outcome: 'ok' },
      ],
    },
    START,
  );
  expect(bars.map(({ name, fromMs, ms, isTrouble }) => [name, fromMs, ms, isTrouble])).toEqual([
    ['Queue', 0, 100, false],
    ['Document', 100, 50, false],
    ['1. mistral', 150, 250, true],
    ['2. tesseract', 400, 560, false],
    ['Settling', 960, 40, false],
  ]);
});

it('draws a request that runs up to now', () => {
  const attempts = [{ number: 1, engine: 'tesseract', startedAt: at(20) }];
  const bars = timelineBars({ createdAt: at(0), startedAt: at(10), attempts }, START + 500);
  expect(bars.map(({ name, ms, isTrouble }) => [name, ms, isTrouble])).toEqual([
    ['Queue', 10, false],
    ['tesseract', 480, false],
  ]);
});

it('draws an earlier run apart from the wait before it', () => {
  const attempts = [{ number: 1, engine: 'tesseract', startedAt: at(800), finishedAt: at(950), outcome: 'ok' }];
  const times = { createdAt: at(0), firstStartedAt: at(100), startedAt: at(790), finishedAt: at(1000) };
  expect(timelineBars({ ...times, attempts }, START).map(({ name, fromMs, ms }) => [name, fromMs, ms])).toEqual([
    ['Queue', 0, 100],
    ['Earlier run', 100, 690],
    ['tesseract', 800, 150],
    ['Settling', 950, 50],
  ]);
});

it('knows of nothing but the wait before a worker took it', () => {
  const bars = timelineBars({ createdAt: at(0), attempts: [] }, START + 700);
  expect(bars.map(({ name, ms }) => [name, ms])).toEqual([['Queue', 700]]);
});

function at(ms: number): string {
  return new Date(START + ms).toISOString();
}
