import { expect, it } from 'vitest';
import { aborted, persist } from './persist.ts';

const CALM = { pauseMs: 1 };

it('rejects with what the first round threw, where every round that ended threw', async () => {
  const stop = new AbortController();
  let rounds = 0;
  const attack = persist(stop.signal, CALM, async () => {
    rounds += 1;
    if (rounds === 3) stop.abort(); // this one is cut short
    throw new Error(`refused ${rounds}`);
  });
  await expect(attack).rejects.toThrow('the attack misses what it is for: Error: refused 1');
});

it('is content where one round was made', async () => {
  const stop = new AbortController();
  let rounds = 0;
  await persist(stop.signal, CALM, async () => {
    rounds += 1;
    if (rounds === 5) stop.abort();
    if (rounds !== 3) throw new Error('refused');
  });
  expect(rounds).toBe(5);
});

it('rejects where the time was over before its first round', async () => {
  await expect(persist(AbortSignal.abort(), CALM, async () => undefined)).rejects.toThrow('before it had begun');
});

it('is content where its end cuts all rounds short', async () => {
  const stop = new AbortController();
  const attack = persist(stop.signal, { width: 2 }, async (signal) => {
    await aborted(signal);
    throw new Error('hung up');
  });
  stop.abort();
  await attack;
});
