import { basename } from 'node:path';
import type { Outcome } from './read-document.ts';

/** Tells of a run: one line that moves on a terminal, a line a document elsewhere. */
export class Progress {
  readonly #pages: number;
  readonly #output: NodeJS.WriteStream;
  #done = 0;

  constructor(pages: number, output: NodeJS.WriteStream) {
    this.#pages = pages;
    this.#output = output;
  }

  tell({ file, pages, ok, status, error }: Outcome): void {
    this.#done += pages;
    if (!ok || !this.#output.isTTY) this.#line(ok ? `${file}: ${status}` : `${file}: ${status}: ${error}`);
    if (this.#output.isTTY) this.#output.write(`\r\x1b[K${this.#done}/${this.#pages} pages  ${basename(file)}`);
  }

  /** A sentence of its own. */
  say(text: string): void {
    this.#line(text);
  }

  #line(text: string): void {
    this.#output.write(`${this.#output.isTTY ? '\r\x1b[K' : ''}${text}\n`);
  }
}
