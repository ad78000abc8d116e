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

/** The process has ended without an answer. */
export class ProcessEndedError extends Error {}

/** One process that decodes pictures; it is given one task at a time. */
export class PictureChild {
  readonly #process: ChildProcess;
  readonly #pipe: Socket;
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
    lowerPriority(this.#process);
    this.#pipe = this.#process.stdio[PIPE] as Socket; // as `stdio` has it
    readFrames(this.#pipe, (frame) => this.#answer(frame));
    const end = () => this.#end();
    this.#process.on('error', end);
    this.#process.on('exit', end);
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

  /** Tasks that it has answered. */
  get answers(): number {
    return this.#answers;
  }

  /** Rejects with `ProcessEndedError` when the process ends before it has answered. */
  async ask(source: { id: number; bytes: Buffer }, task: PictureTask): Promise<Frame & { head: PictureAnswer }> {
    if (this.#ended) throw new ProcessEndedError('a picture process had ended');
    const question: PictureQuestion = { source: source.id, task };
    const isKnown = this.#source === source.id;
    this.#source = source.id;
    this.#hold(true);
    try {
      const frame = await new Promise<Frame>((resolve, reject) => {
        this.#asked = { resolve, reject };
        writeFrame(this.#pipe, question, isKnown ? undefined : source.bytes);
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
    this.#pipe.destroy();
    this.#asked?.reject(new ProcessEndedError('a picture process ended in the middle'));
  }

  /** Only one that works keeps this process alive. */
  #hold(works: boolean): void {
    if (works) {
      this.#process.ref();
      this.#pipe.ref();
    } else {
      this.#process.unref();
      this.#pipe.unref();
    }
  }
}
