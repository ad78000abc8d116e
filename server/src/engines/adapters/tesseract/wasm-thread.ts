import { createRequire } from 'node:module';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../platform/low-priority.ts';

// The entry of a thread of tesseract.js: the library's own, below the thread that answers calls.
// A thread that reads strangers' pictures needs none of our settings, but the library starts it with a copy of all.
for (const name of Object.keys(process.env)) delete process.env[name];
lowerThreadPriority();
if (parentPort) endAfterFailedStart(parentPort);
createRequire(import.meta.url)('tesseract.js/src/worker-script/node/index.js');

/** A part of what the library answers to a job. */
interface Answer {
  readonly status: string;
  readonly action: string;
}

/**
 * Has this thread end once a step of its start has failed: nobody could end it later. The library would also say that the step
 * has succeeded, which it takes for an answer to nothing, and throws.
 */
function endAfterFailedStart(port: MessagePort): void {
  const post = port.postMessage.bind(port);
  port.postMessage = (answer: Answer) => {
    post(answer);
    if (answer.status === 'reject' && ['load', 'loadLanguage', 'initialize'].includes(answer.action)) process.exit();
  };
}
