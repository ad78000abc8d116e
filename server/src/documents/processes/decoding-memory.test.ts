import { expect, it } from 'vitest';
import { DecodingMemory } from './decoding-memory.ts';

it('lets in what fits, in order, and what is larger than all of it alone', async () => {
  const room = new DecodingMemory(100);
  const order: string[] = [];
  const enter = (name: string, bytes: number) =>
    room.take(bytes, undefined).then((permit) => {
      order.push(name);
      return permit;
    });
  const first = await enter('first', 60);
  const huge = enter('huge', 500);
  const small = enter('small', 10);
  await Promise.resolve();
  expect(order).toEqual(['first']);
  first.release();
  (await huge).release();
  (await small).release();
  expect(order).toEqual(['first', 'huge', 'small']);
});

it('forgets who leaves, and lets in who stood behind', async () => {
  const room = new DecodingMemory(100);
  const first = await room.take(60, undefined);
  const gone = new AbortController();
  const leaving = room.take(80, gone.signal);
  const behind = room.take(40, undefined);
  gone.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  (await behind).release();
  first.release();
  (await room.take(100, undefined)).release();
});
