import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from '../../platform/low-priority.ts';
import { type Frame, readFrames, writeFrame } from '../pictures/frames.ts';
import type { PictureAnswer, PictureQuestion, PictureTask } from './picture-task.ts';

/** A process's entry is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './picture-process.ts' : './picture-process.js',
  import.meta.url,
);
const PIPE = 3;

/** Thrown where the process has ended without an answer. */
export class ProcessEndedError extends Error {}

/** Thrown where no process could be started: the system had no descriptors, or no memory. */
export class ProcessNotStartedError extends Error {}

/** A process that decodes pictures, one task at a time. */
export class PictureChild {
  readonly #process: ChildProcess;
  /** The pipe to the process; null where it was not started: then there are no streams at all. */
  readonly #pipe: Socket | null;
  #source = -1;
  #answers = 0;
  #asked: { resolve(frame: Frame): void; reject(error: Error): void } | undefined;
  #ended = false;

  constructor() {
    // A process that reads strangers' pictures needs none of our settings.
    this.#process = spawn(process.execPath, ['--max-old-space-size=256', fileURLToPath(ENTRY)], {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    const end = () => this.#end();
    this.#process.on('error', end);
    this.#process.on('exit', end);
    const streams: ChildProcess['stdio'] | undefined = this.#process.stdio;
    this.#pipe = (streams?.[PIPE] ?? null) as Socket | null; // as `stdio` has it
    if (!this.#pipe) {
      this.#ended = true;
      return;
    }
    lowerPriority(this.#process);
    readFrames(this.#pipe, (frame) => this.#answer(frame));
    this.#pipe.on('error', end);
    this.#pipe.on('close', end);
    this.#hold(false);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Number of tasks that it has answered. */
  get answers(): number {
    return this.#answers;
  }

  /**
   * Gives the process a task. Rejects with `ProcessEndedError` where it ends before it has answered, and with
   * `ProcessNotStartedError`.
   */
  async ask(source: { id: number; bytes: Buffer }, task: PictureTask): Promise<Frame & { head: PictureAnswer }> {
    const pipe = this.#pipe;
    if (this.#ended || !pipe) throw this.#endedError();
    const question: PictureQuestion = { source: source.id, task };
    const isKnown = this.#source === source.id;
    this.#source = source.id;
    this.#hold(true);
    try {
      const frame = await new Promise<Frame>((resolve, reject) => {
        this.#asked = { resolve, reject };
        writeFrame(pipe, question, isKnown ? undefined : source.bytes);
      });
      return frame as Frame & { head: PictureAnswer }; // what the process writes
    } finally {
      this.#asked = undefined;
      if (!this.#ended) this.#hold(false);
    }
  }

  kill(): void {
    this.#process.kill('SIGKILL');
    this.#end();
  }

  #answer(frame: Frame): void {
    this.#answers++;
    this.#asked?.resolve(frame);
  }

  #end(): void {
    this.#ended = true;
    this.#pipe?.destroy();
    this.#asked?.reject(this.#endedError());
  }

  #endedError(): Error {
    if (this.pid === undefined) return new ProcessNotStartedError('a picture process could not be started');
    return new ProcessEndedError('a picture process has ended');
  }

  /** Lets the child keep this process alive only while it works. */
  #hold(works: boolean): void {
    if (works) {
      this.#process.ref();
      this.#pipe?.ref();
    } else {
      this.#process.unref();
      this.#pipe?.unref();
    }
  }
}
