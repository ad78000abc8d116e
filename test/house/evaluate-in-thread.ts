import { Session } from 'node:inspector/promises';
import type { Worker } from 'node:worker_threads';

/** What an expression is worth in a thread of this process, which needs no part in it: asked as a debugger asks. */
export async function evaluateInThread({ threadId }: Worker, expression: string): Promise<unknown> {
  using session = connect();
  // All threads are asked, and one answers: a debugger is told of them by numbers of its own.
  const id = `process.getBuiltinModule('node:worker_threads').threadId`;
  const params = { expression: `${id} === ${threadId} ? (${expression}) : undefined`, returnByValue: true };
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params });
  const answer = new Promise<unknown>((resolve) => {
    session.on('NodeWorker.receivedMessageFromWorker', (event) => {
      const { result } = JSON.parse(event.params.message).result;
      if (result.type !== 'undefined') resolve(result.value);
    });
  });
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    void session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
  });
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return await answer;
}

function connect(): Session & Disposable {
  const session = new Session();
  session.connect();
  return Object.assign(session, { [Symbol.dispose]: () => session.disconnect() });
}
