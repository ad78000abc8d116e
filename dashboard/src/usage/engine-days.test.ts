import { describe, expect, it } from 'vitest';
import { type EngineDay, OTHERS, stackDays, ticksTo } from './engine-days.ts';

const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03'];

function used(day: string, engine: string, cost: number, requests = 1): EngineDay {
  return { day, engine, cost, requests, pages: 2 * requests };
}

describe('days as bars', () => {
  it('are made of their engines, those that cost the most first, with days on which nothing was sent', () => {
    const { engines, stacks } = stackDays(
      DAYS,
      [used('2026-11-01', 'cheap', 1, 9), used('2026-11-01', 'dear', 5), used('2026-11-03', 'cheap', 0.5)],
      'cost',
    );
    expect(engines).toEqual(['dear', 'cheap']);
    expect(stacks).toEqual([
      { date: '2026-11-01', total: 6, parts: [5, 1] },
      { date: '2026-11-02', total: 0, parts: [0, 0] },
      { date: '2026-11-03', total: 0.5, parts: [0, 0.5] },
    ]);
  });

  it('are counted by what is looked at', () => {
    const some = [used('2026-11-01', 'cheap', 1, 9), used('2026-11-01', 'dear', 5)];
    expect(stackDays(DAYS, some, 'requests').engines).toEqual(['cheap', 'dear']);
    expect(stackDays(DAYS, some, 'pages').stacks[0]).toEqual({ date: '2026-11-01', total: 20, parts: [18, 2] });
  });

  it('put together what is beyond five engines', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((engine, n) => used('2026-11-02', engine, 10 - n));
    const { engines, stacks } = stackDays(DAYS, many, 'cost');
    expect(engines).toEqual(['a', 'b', 'c', 'd', OTHERS]);
    expect(stacks[1]).toEqual({ date: '2026-11-02', total: 45, parts: [10, 9, 8, 7, 11] });
  });

  it('leave out what is of no day that is shown', () => {
    expect(stackDays(DAYS, [used('2026-10-31', 'a', 4)], 'cost').stacks.every(({ total }) => total === 0)).toBe(true);
  });
});

describe('the lines of the axis', () => {
  it.each([
    [0, [0]],
    [1, [0, 0.5, 1]],
    [6, [0, 2, 4, 6]],
    [7.3, [0, 2, 4, 6, 8]],
    [45, [0, 20, 40, 60]],
    [100, [0, 50, 100]],
  ])('go up to %d in round steps', (top, ticks) => {
    expect(ticksTo(top)).toEqual(ticks);
  });

  it('has no half requests', () => {
    expect(ticksTo(2, 1)).toEqual([0, 1, 2]);
  });

  it.each([3e-7, 0.0042, 987_654_321, 1.5e12])('is never below %d, and has few lines', (top) => {
    const ticks = ticksTo(top);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(top * (1 - 1e-9));
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(6);
  });
});
