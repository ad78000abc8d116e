import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EnginePlaces } from './engine-places.ts';
import { runPlace } from './run-place.ts';
import { SlowDocuments } from './slow-documents.ts';

const ENGINE = { id: 'reader', concurrency: 1 };
const NEVER = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const places = new EnginePlaces();
  let freed = 0;
  let begun = 0;
  const slow = new SlowDocuments(() => {
    begun++;
  });
  const begin = (accountId = 'a', engine = ENGINE) => {
    places.take(engine.id);
    const onFree = () => {
      freed++;
    };
    return runPlace({ engine, accountId, places, slow, onFree });
  };
  return { places, slow, begin, freed: () => freed, begun: () => begun };
}

describe('the place of a run', () => {
  it('is kept while a document comes soon', async () => {
    const { places, begin } = open();
    const coming = Promise.withResolvers<string>();
    const waiting = begin().beside(coming.promise, NEVER);
    await vi.advanceTimersByTimeAsync(499);
    expect(places.free(ENGINE)).toBe(0);
    coming.resolve('document');
    expect(await waiting).toBe('document');
    expect(places.free(ENGINE)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is another one’s while a document takes long, and is taken again before anything new', async () => {
    const { places, begin, freed } = open();
    const coming = Promise.withResolvers<string>();
    const place = begin();
    const waiting = place.beside(coming.promise, NEVER);
    await vi.advanceTimersByTimeAsync(500);
    expect([places.free(ENGINE), freed()]).toEqual([1, 1]);
    const other = begin('b');
    coming.resolve('document');
    await vi.advanceTimersByTimeAsync(1000);
    expect(places.free(ENGINE)).toBe(0);
    other.free();
    expect(await waiting).toBe('document');
    expect(places.free(ENGINE)).toBe(0);
    place.free();
    place.free();
    expect(places.free(ENGINE)).toBe(1);
  });

  it('is not taken again for a document that does not come', async () => {
    const { places, slow, begin } = open();
    const coming = Promise.withResolvers<string>();
    const place = begin();
    const waiting = place.beside(coming.promise, NEVER);
    await vi.advanceTimersByTimeAsync(500);
    coming.reject(new Error('no document'));
    await expect(waiting).rejects.toThrow('no document');
    place.free();
    expect(places.free(ENGINE)).toBe(1);
    expect(slow.atLimit).toEqual([]);
  });

  it('is waited for no longer than its request has time', async () => {
    const { places, begin } = open();
    const stop = new AbortController();
    const place = begin();
    const waiting = place.beside(new Promise((resolve) => setTimeout(resolve, 600)), stop.signal);
    await vi.advanceTimersByTimeAsync(500);
    const other = begin('b');
    await vi.advanceTimersByTimeAsync(200);
    stop.abort(new Error('its time is over'));
    await expect(waiting).rejects.toThrow('its time is over');
    place.free();
    other.free();
    expect(places.free(ENGINE)).toBe(1);
  });

  it('is given back by all that an account has begun; with four it begins nothing else, and is told when it may', async () => {
    const { places, slow, begin, begun } = open();
    const documents = Array.from({ length: 5 }, () => Promise.withResolvers<string>());
    const runs = documents.map(({ promise }) => ({ run: begin(), promise }));
    const ended = runs.map(({ run, promise }) => run.beside(promise, NEVER).then(() => run.free()));
    await vi.advanceTimersByTimeAsync(500);
    expect(places.free(ENGINE)).toBe(1);
    expect([slow.atLimit, slow.isAtLimit('b')]).toEqual([['a'], false]);
    documents[0]?.resolve('document');
    await ended[0];
    expect([slow.atLimit, begun()]).toEqual([['a'], 0]);
    documents[1]?.resolve('document');
    await ended[1];
    expect([slow.atLimit, begun()]).toEqual([[], 1]);
  });

  it('is not kept for a document by an account that keeps half of the engine’s places so', async () => {
    const wide = { id: ENGINE.id, concurrency: 4 };
    const { places, begin } = open();
    const never = new Promise<string>(() => undefined);
    for (let i = 0; i < 4; i++) void begin('a', wide).beside(never, NEVER);
    await vi.advanceTimersByTimeAsync(0);
    expect(places.free(wide)).toBe(2);
    void begin('b', wide).beside(never, NEVER);
    expect(places.free(wide)).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(places.free(wide)).toBe(4);
  });

  it('is kept where the process waits for as many documents as it may', async () => {
    const { places, begin } = open();
    const never = new Promise<string>(() => undefined);
    for (let i = 0; i < 32; i++) {
      void begin(`account ${i}`).beside(never, NEVER);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(places.free(ENGINE)).toBe(1);
    void begin('one more').beside(never, NEVER);
    await vi.advanceTimersByTimeAsync(5000);
    expect(places.free(ENGINE)).toBe(0);
  });
});
