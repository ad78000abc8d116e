import { expect, it } from 'vitest';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { DecodingMemory } from './decoding-memory.ts';

const NEVER = new AbortController().signal;

/** Of 100 bytes, for whoever has a process, of which there are enough; what came in, by name, in order. */
function room() {
  const processes = new FairSemaphore(10);
  const memory = new DecodingMemory(100, () => processes.advance());
  const entered: string[] = [];
  const take = (bytes: number, party: string, signal = NEVER) =>
    processes.acquire(signal, party, () => memory.take(bytes, party));
  const enter = async (name: string, bytes: number, party = name) => {
    const permit = await take(bytes, party);
    entered.push(name);
    return permit;
  };
  return { take, entered, enter };
}

it("an account's pictures take half of the room, and another's do not wait for them", async () => {
  const { entered, enter } = room();
  const first = await enter('first', 30, 'one');
  const second = enter('second', 30, 'one');
  const third = enter('third', 10, 'one');
  (await enter('other', 50)).release();
  expect(entered).toEqual(['first', 'other']);
  first.release();
  await second;
  await third;
  expect(entered).toEqual(['first', 'other', 'second', 'third']);
});

it('large pictures come one after the other, those of an account after those of others, and small ones pass them', async () => {
  const { entered, enter } = room();
  const first = await enter('first', 60, 'one');
  const second = enter('second', 500, 'one');
  const third = enter('third', 70, 'one');
  const other = enter('other', 80);
  (await enter('small', 50)).release();
  expect(entered).toEqual(['first', 'small']);
  first.release();
  (await second).release();
  (await other).release();
  (await third).release();
  expect(entered).toEqual(['first', 'small', 'second', 'other', 'third']);
});

it('who waits for room gets it before those that came later', async () => {
  const { entered, enter } = room();
  const [one, two] = [await enter('one', 50), await enter('two', 30)];
  const half = enter('half', 50);
  const late = enter('late', 20);
  two.release();
  (await half).release();
  await late;
  one.release();
  expect(entered).toEqual(['one', 'two', 'half', 'late']);
});

it('forgets who leaves, and lets in who stood behind', async () => {
  const { take, enter } = room();
  const [one, two] = [await enter('one', 50), await enter('two', 30)];
  const gone = new AbortController();
  const leaving = take(80, 'leaving', gone.signal);
  const behind = enter('behind', 20);
  gone.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  (await behind).release();
  one.release();
  two.release();
  (await enter('all', 100)).release();
});

it('takes in nobody who has left already', async () => {
  await expect(room().take(1, 'left', AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
});
