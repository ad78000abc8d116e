import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from './until.ts';

/**
 * Products that serve file after file: the process of the tests that started one may end without a word. `POST /left` with
 * an id of a process has it ended with the run.
 */
export class LeftProcesses implements AsyncDisposable {
  readonly #pids = new Set<number>();

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#pids.add(Number(await text(request)));
    response.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const left = [...this.#pids];
    for (const pid of left) signal(pid, 'SIGTERM');
    await until('the products of the run have ended', () => left.every((pid) => !signal(pid, 0))).catch(() => {
      for (const pid of left) signal(pid, 'SIGKILL');
    });
  }
}

/** Whether there is such a process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
