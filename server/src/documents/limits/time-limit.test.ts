import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { TimeLimit } from './time-limit.ts';

const LIMIT_MS = 1000;

it('takes what was ready in time, although the event loop stood still until the time was over', async () => {
  using limit = new TimeLimit({ clockMs: LIMIT_MS, processorMs: LIMIT_MS });
  const { port1, port2 } = new MessageChannel();
  const answered = once(port2, 'message');
  await setImmediate(); // the next thing that the loop looks at are its timers
  port1.postMessage('an answer');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * LIMIT_MS);
  await answered;
  expect(limit.signal.aborted).toBe(false);
  port1.close();
  await once(limit.signal, 'abort'); // what has not answered by then is over
});

it('has more time on the clock where the work does not get the processor, up to its own end', async () => {
  let used = 0;
  using limit = new TimeLimit({ clockMs: 3 * LIMIT_MS, processorMs: LIMIT_MS / 2, used: () => used });
  await sleep(LIMIT_MS);
  expect([limit.signal.aborted, limit.processorMs]).toEqual([false, 0]);
  used = LIMIT_MS;
  await once(limit.signal, 'abort');
  using standing = new TimeLimit({ clockMs: LIMIT_MS, processorMs: LIMIT_MS / 2, used: () => 0 });
  await once(standing.signal, 'abort');
  expect(standing.processorMs).toBe(0);
});

it('goes by the clock alone where the system does not say what the work has had', async () => {
  using limit = new TimeLimit({ clockMs: 60 * LIMIT_MS, processorMs: LIMIT_MS / 2, used: () => null });
  await once(limit.signal, 'abort');
  expect(limit.processorMs).toBeGreaterThanOrEqual(LIMIT_MS / 2);
});
