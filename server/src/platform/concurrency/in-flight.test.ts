import { describe, expect, it } from 'vitest';
import { ballast, leftBehindMb } from '../../../../test/house/young-garbage.ts';
import { InFlight } from './in-flight.ts';

describe('what is under way', () => {
  it('is found by its key, in the order in which it began, until it is deleted', () => {
    const inFlight = new InFlight<string, { n: number }>();
    inFlight.set('a', { n: 1 });
    inFlight.set('b', { n: 2 });
    inFlight.set('a', { n: 3 });
    expect(inFlight.size).toBe(2);
    expect(inFlight.get('a')).toEqual({ n: 3 });
    expect([...inFlight.entries()]).toEqual([
      ['b', { n: 2 }],
      ['a', { n: 3 }],
    ]);
    inFlight.delete('b');
    inFlight.delete('never there');
    expect(inFlight.has('b')).toBe(false);
    expect([...inFlight.values()]).toEqual([{ n: 3 }]);
  });

  it('can be deleted while it is walked through', () => {
    const inFlight = new InFlight<number, { n: number }>();
    for (const n of [1, 2, 3]) inFlight.set(n, { n });
    const seen: number[] = [];
    for (const { n } of inFlight.values()) {
      seen.push(n);
      inFlight.delete(2);
    }
    expect(seen).toEqual([1, 3]);
  });

  it('dies young', async () => {
    const inFlight = new InFlight<number, object>();
    inFlight.set(-1, {});
    let n = 0;
    const left = await leftBehindMb(async (turn) => {
      const key = n++;
      inFlight.set(key, ballast());
      await turn;
      inFlight.delete(key);
    });
    expect(left).toBeLessThan(4);
  });
});
