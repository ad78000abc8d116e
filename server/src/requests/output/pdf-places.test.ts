import { expect, it } from 'vitest';
import { PdfPlaces } from './pdf-places.ts';

const { signal } = new AbortController();
const UNAVAILABLE = { code: 'engine_unavailable', details: { retryAfterSeconds: 10 } };

it('gives a place to who waits when one is free again', async () => {
  const places = new PdfPlaces({ atOnce: 2, waiting: 4, waitMs: 60_000 });
  const first = await places.take('a', signal);
  await places.take('a', signal);
  const third = places.take('b', signal);
  first.release();
  await expect(third).resolves.toBeDefined();
});

it('is 503 for who has waited long enough', async () => {
  const places = new PdfPlaces({ atOnce: 1, waiting: 4, waitMs: 20 });
  const held = await places.take('a', signal);
  await expect(places.take('b', signal)).rejects.toMatchObject(UNAVAILABLE);
  held.release();
  await expect(places.take('b', signal)).resolves.toBeDefined();
});

it('is 503 at once where too many wait', async () => {
  const places = new PdfPlaces({ atOnce: 1, waiting: 1, waitMs: 60_000 });
  const held = await places.take('a', signal);
  const waiting = places.take('b', signal);
  await expect(places.take('c', signal)).rejects.toMatchObject(UNAVAILABLE);
  held.release();
  await waiting;
});

it('forgets who leaves', async () => {
  const places = new PdfPlaces({ atOnce: 1, waiting: 1, waitMs: 60_000 });
  const held = await places.take('a', signal);
  const gone = new AbortController();
  const leaving = places.take('b', gone.signal);
  gone.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  const next = places.take('c', signal);
  held.release();
  await expect(next).resolves.toBeDefined();
});
