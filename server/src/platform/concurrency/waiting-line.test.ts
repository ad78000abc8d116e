import { expect, it } from 'vitest';
import { WaitingLine, type WaitingLineOptions } from './waiting-line.ts';

const { signal } = new AbortController();
const ROOM = { permitsEach: 9, mostWaitingEach: 9, message: 'Full.' };
const line = (options: Pick<WaitingLineOptions, 'permits' | 'mostWaiting' | 'waitMs'> & Partial<WaitingLineOptions>) =>
  new WaitingLine({ ...ROOM, ...options });
const UNAVAILABLE = { code: 'engine_unavailable', details: { retryAfterSeconds: 10 } };

it('gives a permit to who waits when one is free again', async () => {
  const permits = line({ permits: 2, mostWaiting: 4, waitMs: 60_000 });
  const first = await permits.take('a', signal);
  await permits.take('a', signal);
  const third = permits.take('b', signal);
  first.release();
  await expect(third).resolves.toBeDefined();
});

it('is 503 for who has waited long enough', async () => {
  const permits = line({ permits: 1, mostWaiting: 4, waitMs: 20 });
  const held = await permits.take('a', signal);
  await expect(permits.take('b', signal)).rejects.toMatchObject(UNAVAILABLE);
  held.release();
  await expect(permits.take('b', signal)).resolves.toBeDefined();
});

it('is 503 at once where too many wait', async () => {
  const permits = line({ permits: 1, mostWaiting: 1, waitMs: 60_000 });
  const held = await permits.take('a', signal);
  const waiting = permits.take('b', signal);
  await expect(permits.take('c', signal)).rejects.toMatchObject(UNAVAILABLE);
  held.release();
  await waiting;
});

it('forgets who leaves', async () => {
  const permits = line({ permits: 1, mostWaiting: 1, waitMs: 60_000 });
  const held = await permits.take('a', signal);
  const gone = new AbortController();
  const leaving = permits.take('b', gone.signal);
  gone.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  const next = permits.take('c', signal);
  held.release();
  await expect(next).resolves.toBeDefined();
});

it('lets no account take all permits, nor the whole line', async () => {
  const permits = line({ permits: 2, permitsEach: 1, mostWaiting: 3, mostWaitingEach: 1, waitMs: 60_000 });
  const held = await permits.take('a', signal);
  const waiting = permits.take('a', signal);
  await expect(permits.take('a', signal)).rejects.toMatchObject(UNAVAILABLE);
  await expect(permits.take('b', signal)).resolves.toBeDefined();
  const inLine = permits.take('c', signal);
  held.release();
  await Promise.race([waiting, inLine]);
});
