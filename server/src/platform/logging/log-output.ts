import { write, writeSync } from 'node:fs';

const STDOUT = 1;
/** Lines are written together: at so many characters, or after this long. */
const WRITE_CHARACTERS = 4096;
const WRITE_AFTER_MS = 100;
/** Of a reader that does not read; what comes on top of it is dropped. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const FULL_PIPE_MS = 50;

/**
 * Standard output for log lines. It neither holds up the event loop nor the end of the process: where the reader has gone
 * (a closed terminal, the other end of a pipe) the lines are dropped, and a full pipe is tried again.
 */
export class LogOutput {
  #waiting: string[] = [];
  #characters = 0;
  #underWay: Buffer | null = null;
  #timer: NodeJS.Timeout | null = null;
  #gone = false;

  constructor() {
    process.once('exit', () => this.#writeRest());
  }

  write(line: string): void {
    if (this.#gone || this.#characters > MOST_CHARACTERS) return;
    this.#waiting.push(line);
    this.#characters += line.length;
    if (this.#characters >= WRITE_CHARACTERS) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), WRITE_AFTER_MS).unref();
  }

  #begin(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#underWay || this.#waiting.length === 0) return;
    this.#send(this.#take());
  }

  #take(): Buffer {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#characters = 0;
    return Buffer.from(text);
  }

  #send(bytes: Buffer): void {
    this.#underWay = bytes;
    write(STDOUT, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') return void setTimeout(() => this.#send(bytes), FULL_PIPE_MS).unref();
      this.#underWay = null;
      if (error) this.#gone = true;
      else if (written < bytes.length) this.#send(bytes.subarray(written));
      else if (this.#characters >= WRITE_CHARACTERS) this.#begin();
      else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#begin(), WRITE_AFTER_MS).unref();
    });
  }

  /** At the end of the process: what is under way is the system's, the rest is written now or never. */
  #writeRest(): void {
    if (this.#gone || this.#waiting.length === 0) return;
    try {
      writeSync(STDOUT, this.#take());
    } catch {} // nobody reads it
  }
}
