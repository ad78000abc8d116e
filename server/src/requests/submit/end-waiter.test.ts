import { expect, it, onTestFinished, vi } from 'vitest';
import { OcrPage } from '../model/ocr-page.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { Waiters } from '../run/waiters.ts';
import { EndWaiter, type EndWaiterDeps } from './end-waiter.ts';

it('looks for the end once at a time, however long a look takes', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const request = Object.assign(new OcrRequest(), { id: 'ocr_1', accountId: 'a', createdAt: new Date() });
  const ended = Object.assign(new OcrRequest(), request, { status: 'succeeded', textRetained: true, effective: {} });
  let [now, most, looks] = [0, 0, 0];
  const byId = async () => {
    most = Math.max(most, ++now);
    looks++;
    await new Promise((resolve) => setTimeout(resolve, 3500));
    now--;
    return ended;
  };
  const deps = { waiting: new Waiters(), lookup: { byId }, syncLimitMs: 60_000 } as unknown as EndWaiterDeps;
  const answer = new EndWaiter(deps).wait(request);
  await vi.advanceTimersByTimeAsync(20_000);
  await answer;
  expect([most, looks]).toEqual([1, 1]);
});

it('waits no longer than its limit for a request of a database whose clock is ahead', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const createdAt = new Date(Date.now() + 3_600_000);
  const request = Object.assign(new OcrRequest(), { id: 'ocr_1', accountId: 'a', status: 'processing', createdAt });
  const deps = { waiting: new Waiters(), lookup: { byId: async () => null }, syncLimitMs: 60_000 };
  const answer = new EndWaiter(deps as unknown as EndWaiterDeps).wait(request);
  await vi.advanceTimersByTimeAsync(66_000);
  expect(await Promise.race([answer, 'still waits'])).toBe(request);
});

it.each([
  ['ahead of', -3_600_000],
  ['behind', 3_600_000],
])('gives a request that is repeated its whole time where its own clock is %s the database’s', async (_, skewMs) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const settled: string[] = [];
  const createdAt = new Date(Date.now() - 5000 + skewMs);
  const request = Object.assign(new OcrRequest(), { id: 'ocr_1', accountId: 'a', status: 'queued', mode: 'sync' });
  Object.assign(request, { createdAt, ageMs: 5000, effective: {} });
  const settle = async ({ id }: { id: string }) => {
    settled.push(id);
    return 'lost';
  };
  const deps = {
    waiting: new Waiters(),
    lookup: { byId: async () => request },
    settlements: { settle },
    syncLimitMs: 60_000,
  };
  const answer = new EndWaiter(deps as unknown as EndWaiterDeps).wait(request);
  await vi.advanceTimersByTimeAsync(54_000);
  expect([await Promise.race([answer, 'still waits']), settled]).toEqual(['still waits', []]);
  await vi.advanceTimersByTimeAsync(7000);
  expect([await Promise.race([answer, 'still waits']), settled]).toEqual([request, ['ocr_1']]);
});

it('asks again for pages that are kept nowhere where the database breaks off', async () => {
  const effective = { include: ['lines'] };
  const request = Object.assign(new OcrRequest(), { id: 'ocr_1', accountId: 'a', effective });
  const ended = Object.assign(new OcrRequest(), request, { status: 'succeeded', finishedAt: new Date(), text: 'read' });
  const page = new OcrPage();
  let looks = 0;
  const passedPages = async () => {
    looks++;
    if (looks === 1) throw new Error('Connection terminated unexpectedly');
    return [page];
  };
  const waiting = new Waiters();
  const passing = { delivered: () => undefined };
  const deps = { waiting, passing, passedPages, syncLimitMs: 60_000 };
  const answer = new EndWaiter(deps as unknown as EndWaiterDeps).wait(request);
  waiting.resolve(ended);
  expect((await answer).pageRows).toEqual([page]);
});
