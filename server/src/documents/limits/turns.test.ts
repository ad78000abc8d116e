import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('a party whose documents have cost time gets one place, and leaves the others free', async () => {
  const turns = new Turns(2);
  turns.failed('slow', 3000);
  const first = await turns.take({ party: 'slow' });
  let second = false;
  const waiting = turns.take({ party: 'slow' }).then((permit) => {
    second = true;
    return permit;
  });
  const other = await turns.take({ party: 'quick' });
  expect(second).toBe(false);
  first.release();
  (await waiting).release();
  other.release();
});

it('a party may wait with so many documents that are to be opened; the next one is refused', async () => {
  const turns = new Turns(1);
  const held = await turns.take({ party: 'a' });
  const gone = new AbortController();
  const waiting = Array.from({ length: 32 }, () => turns.take({ party: 'a', opening: true, signal: gone.signal }));
  const ended = Promise.allSettled(waiting);
  await expect(turns.take({ party: 'a', opening: true })).rejects.toMatchObject({ code: 'engine_unavailable' });
  gone.abort(new Error('left'));
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
  const next = turns.take({ party: 'a', opening: true });
  held.release();
  (await next).release();
});

// Less than the time after which the others give up their places.
it('documents that wait for something beside their turns keep no other from its own', { timeout: 10_000 }, async () => {
  const turns = new Turns(1);
  const gone = new AbortController();
  const waiting = ['a', 'b', 'c'].map((party) =>
    turns.take({ party, opening: true, signal: gone.signal }, () => 'skip'),
  );
  const left = Promise.allSettled(waiting);
  (await turns.take({ party: 'd', opening: true })).release();
  gone.abort(new Error('left'));
  expect((await left).every(({ status }) => status === 'rejected')).toBe(true);
});

it.each([1, 2])('a party that holds all of its %i places leaves one to others, to open and to read', async (each) => {
  const turns = new Turns(each);
  const all = await Promise.all(Array.from({ length: each }, () => turns.take({ party: 'slow' })));
  const gone = new AbortController();
  const further = turns.take({ party: 'slow', signal: gone.signal });
  (await turns.take({ party: 'quick', opening: true })).release();
  (await turns.take({ party: 'quick' })).release();
  gone.abort(new Error('left'));
  await expect(further).rejects.toThrow('left');
  for (const permit of all) permit.release();
});

it('who is told to wait stops waiting when the caller leaves', async () => {
  const turns = new Turns(1);
  for (let i = 0; i < 10; i++) turns.failed('slow', 3000);
  const gone = new AbortController();
  const waiting = turns.take({ party: 'slow', signal: gone.signal });
  gone.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  (await turns.take({ party: 'quick' })).release();
});

it('documents that are to be opened leave a place to other parties', async () => {
  const turns = new Turns(2);
  const first = await turns.take({ party: 'a', opening: true });
  let second = false;
  const waiting = turns.take({ party: 'a', opening: true }).then((permit) => {
    second = true;
    return permit;
  });
  const other = await turns.take({ party: 'b', opening: true });
  expect(second).toBe(false);
  first.release();
  (await waiting).release();
  other.release();
});
