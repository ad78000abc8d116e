import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OutageError } from '../../database/outage.ts';
import { WalletRetries } from './wallet-retries.ts';

const LOCKED = async () => 'locked' as const;

it('lets nobody wait longer than its own limit for who asks already', async () => {
  const retries = new WalletRetries();
  const began = performance.now();
  const patient = retries.through('a', LOCKED, { limitMs: 3000 });
  const refused = expect(patient).rejects.toThrow(OutageError);
  await sleep(20); // it asks by now, again and again
  let asked = 0;
  const impatient = retries.through(
    'a',
    async () => {
      asked++;
      return 'locked';
    },
    { limitMs: 0 },
  );
  await expect(impatient).rejects.toThrow(OutageError);
  expect(asked).toBe(1);
  await expect(retries.through('a', LOCKED, { limitMs: 200 })).rejects.toThrow(OutageError);
  expect(performance.now() - began).toBeLessThan(2500);
  await refused;
});

it('has others of the account wait for one who asks', async () => {
  const retries = new WalletRetries();
  let [isLocked, asked] = [true, 0];
  const ask = async () => {
    asked++;
    return isLocked ? ('locked' as const) : 'done';
  };
  const all = Array.from({ length: 20 }, () => retries.through('a', ask, { limitMs: 60_000 }));
  await sleep(1000);
  expect(asked).toBeLessThan(60); // each once or twice, and one again after each pause
  isLocked = false;
  expect(await Promise.all(all)).toEqual(Array(20).fill('done'));
});
