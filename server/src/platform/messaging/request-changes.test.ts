import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { NoBroadcast } from './broadcast.ts';
import type { LiveStream } from './live-stream.ts';
import { type RequestChange, RequestChanges } from './request-changes.ts';

const MANY = 1000;

let changes: RequestChanges;
let got: string[];

beforeEach(() => {
  changes = new RequestChanges(new NoBroadcast());
  got = [];
});

function changeOf(accountId: string, requestId: string): RequestChange {
  return { requestId, accountId, engine: 'e', mode: 'sync', status: 'queued', outcome: 'processing', cursor: 'c' };
}

/** Writes down what a stream gives, under a name; `got` has `end` of one that ends. */
async function listen(name: string, stream: LiveStream<RequestChange>): Promise<void> {
  try {
    for await (const { requestId } of stream) got.push(`${name} ${requestId}`);
  } catch (error) {
    got.push(`${name} ${(error as Error).message}`);
  }
}

const gotBy = (name: string) => got.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1]);

it('tells subscribers of their account’s requests, at once', async () => {
  void listen('a', changes.subscribe('one'));
  void listen('b', changes.subscribe('one', 'r2'));
  void listen('c', changes.subscribe('two'));
  void listen('all', changes.subscribe(null));
  for (const requestId of ['r1', 'r2']) changes.publish(() => changeOf('one', requestId));
  await turn();
  expect(got.toSorted()).toEqual(['a r1', 'a r2', 'all r1', 'all r2', 'b r2']);
});

it('lets others have turns between the subscribers of a busy account, and its own keep the order', async () => {
  for (let n = 0; n < MANY; n++) void listen(`m${n}`, changes.subscribe('busy'));
  void listen('other', changes.subscribe('other'));
  for (const requestId of ['r1', 'r2']) changes.publish(() => changeOf('busy', requestId));
  changes.publish(() => changeOf('other', 'r3'));
  const told: number[] = [];
  while (got.length < 2 * MANY + 1) {
    await turn();
    told.push(got.length);
  }
  expect(gotBy('other'), 'in the first turn').toEqual(['r3']);
  expect(Math.max(...told.map((now, n) => now - (told[n - 1] ?? 0)))).toBeLessThan(100);
  expect(gotBy('m0')).toEqual(['r1', 'r2']);
  expect(gotBy(`m${MANY - 1}`)).toEqual(['r1', 'r2']);
});

it('tells nobody of what happened before', async () => {
  for (let n = 0; n < MANY; n++) void listen(`m${n}`, changes.subscribe('busy'));
  for (const requestId of ['r1', 'r2']) changes.publish(() => changeOf('busy', requestId));
  void listen('late', changes.subscribe('busy'));
  changes.publish(() => changeOf('busy', 'r3'));
  while (gotBy('m999').length < 3) await turn();
  expect(gotBy('late')).toEqual(['r3']);
});

it('ends the subscriptions of an account whose changes come faster than they can be told', async () => {
  for (let n = 0; n < MANY; n++) void listen(`m${n}`, changes.subscribe('busy'));
  for (let n = 0; n < 2000; n++) changes.publish(() => changeOf('busy', `r${n}`));
  while (gotBy('m999').at(-1) !== 'the') await turn();
  expect(got.filter((line) => line.endsWith('the subscriber reads too slowly'))).toHaveLength(MANY);
  void listen('again', changes.subscribe('busy'));
  changes.publish(() => changeOf('busy', 'next'));
  while (gotBy('again').length === 0) await turn();
  expect(gotBy('again')).toEqual(['next']);
});
