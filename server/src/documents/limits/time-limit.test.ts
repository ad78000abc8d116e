import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
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
