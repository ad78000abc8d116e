import { basename } from 'node:path';
import { say } from '../say.ts';
import type { Outcome, ReadBefore } from './read-document.ts';

/** Reports a run: on a terminal one line that is rewritten, elsewhere one line for each document that fails or ends. */
export class Progress {
  readonly #pages: number;
  readonly #output: NodeJS.WriteStream;
  #done = 0;

  constructor(pages: number, output: NodeJS.WriteStream) {
    this.#pages = pages;
    this.#output = output;
  }

  tell(end: Outcome | ReadBefore): void {
    if ('before' in end) {
      this.say(`${end.file}: was read before; its text is not kept, and its outputs stay as they are.`);
      return;
    }
    const { file, pages, status, error } = end;
    this.#done += pages;
    if (error !== null || !this.#output.isTTY) this.say(`${file}: ${status}${error === null ? '' : `: ${error}`}`);
    if (this.#output.isTTY) this.#output.write(`\r\x1b[K${this.#done}/${this.#pages} pages  ${basename(file)}`);
  }

  /** Prints a sentence on a line of its own. */
  say(text: string): void {
    say(text, this.#output);
  }
}
