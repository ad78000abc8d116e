import { expect, it, onTestFinished, vi } from 'vitest';
import { ByteRate } from '../../../platform/concurrency/byte-rate.ts';
import { TextTurns } from './text-turns.ts';

const MOST_WAITING = 100;

it('refuses an account that asks for too many at once by 429, and no other', async () => {
  const turns = new TextTurns();
  const gone = new AbortController();
  using _first = await turns.take('a');
  const waiting = Array.from({ length: MOST_WAITING }, () => turns.take('a', gone.signal));
  await expect(turns.take('a')).rejects.toMatchObject({ code: 'rate_limited' });
  using _other = await turns.take('b');
  gone.abort(new Error('gone'));
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
});

it('counts at the rate beside others only what is read while there are some', async () => {
  const takes = vi.spyOn(ByteRate.prototype, 'take').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const parties = { hasOthers: () => false };
  const turns = new TextTurns(parties);
  const ratesOf = async (hasOthers: boolean) => {
    parties.hasOthers = () => hasOthers;
    using turn = await turns.take('a');
    await turn.read(1, async () => undefined);
    return takes.mock.instances.splice(0);
  };
  const [alone, beside] = [await ratesOf(false), await ratesOf(true)];
  expect([alone.length, beside.length]).toEqual([1, 1]);
  expect(alone[0]).not.toBe(beside[0]);
});

it('stops waiting for the rate when its caller leaves', async () => {
  const gone = new AbortController();
  vi.spyOn(ByteRate.prototype, 'take').mockReturnValue(600_000);
  onTestFinished(() => void vi.restoreAllMocks());
  using turn = await new TextTurns().take('a', gone.signal);
  const reading = turn.read(1, async () => undefined);
  gone.abort(new Error('left'));
  await expect(reading).rejects.toThrow('left');
});

it('does not count what is not read because its caller has left', async () => {
  const turns = new TextTurns({ hasOthers: () => true });
  for (let n = 0; n < 40; n++) {
    const gone = new AbortController();
    using turn = await turns.take('a', gone.signal);
    const reading = turn.read(2 * 1024 * 1024, async () => undefined);
    gone.abort(new Error('left'));
    await reading.catch(() => undefined);
  }
  const began = performance.now();
  using turn = await turns.take('a');
  await turn.read(1, async () => undefined);
  expect(performance.now() - began).toBeLessThan(2000);
});
