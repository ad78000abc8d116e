import { expect, it } from 'vitest';
import { LiveStream } from './live-stream.ts';

it('hands over what was pushed before and while somebody reads, in order', async () => {
  const stream = new LiveStream<number>(() => undefined);
  stream.push(1);
  stream.push(2);
  expect([await stream.next(), await stream.next()]).toEqual([
    { value: 1, done: false },
    { value: 2, done: false },
  ]);
  const third = stream.next();
  stream.push(3);
  expect(await third).toEqual({ value: 3, done: false });
});

it('ends once, and lets go of a reader that waits', async () => {
  let ends = 0;
  const stream = new LiveStream<number>(() => ends++);
  const waiting = stream.next();
  await stream.return();
  await stream.return();
  stream.push(1);
  expect(await waiting).toEqual({ value: undefined, done: true });
  expect(await stream.next()).toEqual({ value: undefined, done: true });
  expect(ends).toBe(1);
});

it('gives up a reader that is too slow', async () => {
  let ended = false;
  const stream = new LiveStream<number>(() => {
    ended = true;
  });
  for (let n = 0; n <= 1000; n++) stream.push(n);
  expect(ended).toBe(true);
  await expect(stream.next()).rejects.toThrow('too slowly');
});
