import { describe, expect, it } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';

const never = new AbortController().signal;

describe('FairSemaphore', () => {
  it('lets no more through at once than it has permits, first come, first served', async () => {
    const gate = new FairSemaphore(1);
    const first = await gate.acquire(never);
    const order: number[] = [];
    const second = gate.acquire(never).then((permit) => order.push(2) && permit.release());
    const third = gate.acquire(never).then((permit) => order.push(3) && permit.release());
    expect(gate.tryAcquire()).toBeNull();
    first.release();
    await Promise.all([second, third]);
    expect(order).toEqual([2, 3]);
    expect(gate.free).toBe(1);
  });

  it('lets parties take turns, whoever came first and with however many', async () => {
    const gate = new FairSemaphore(1);
    const held = await gate.acquire(never);
    const order: string[] = [];
    const wait = (party: string) => gate.acquire(never, party).then((permit) => order.push(party) && permit.release());
    const all = [...['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(wait)];
    held.release();
    await Promise.all(all);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
    expect(gate.free).toBe(1);
  });

  it('gives a permit back once, however often it is released', () => {
    const gate = new FairSemaphore(1);
    const permit = gate.tryAcquire();
    permit?.release();
    permit?.release();
    expect(gate.free).toBe(1);
  });

  it('forgets who stopped waiting', async () => {
    const gate = new FairSemaphore(1);
    const held = await gate.acquire(never);
    const impatient = new AbortController();
    const waiting = gate.acquire(impatient.signal);
    impatient.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    held.release();
    expect(gate.free).toBe(1);
  });
});
