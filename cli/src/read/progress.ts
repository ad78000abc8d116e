import { basename } from 'node:path';
import { clean, type Output, say } from '../say.ts';
import type { Outcome, ReadBefore } from './read-document.ts';

/**
 * Reports a run: on a terminal one line that is rewritten, elsewhere one line for each document that fails or ends. Warnings
 * have lines of their own.
 */
export class Progress {
  readonly #pages: number;
  readonly #output: Output;
  #done = 0;

  constructor(pages: number, output: Output) {
    this.#pages = pages;
    this.#output = output;
  }

  tell(end: Outcome | ReadBefore): void {
    if ('before' in end) {
      this.say(`${end.file}: was read before; its text is not kept, and its outputs stay as they are.`);
      return;
    }
    const { file, pages, status, error, warnings } = end;
    this.#done += pages;
    if (error !== null || !this.#output.isTTY) this.say(`${file}: ${status}${error === null ? '' : `: ${error}`}`);
    this.#warn(file, warnings);
    if (this.#output.isTTY) this.#rewrite(`${this.#done}/${this.#pages} pages  ${basename(file)}`);
  }

  /** Prints a sentence on a line of its own. */
  say(text: string): void {
    say(text, this.#output);
  }

  #warn(file: string, warnings: readonly string[]): void {
    for (const warning of warnings.slice(0, MOST_WARNINGS)) this.say(`${file}: warning: ${warning}`);
    const more = warnings.length - MOST_WARNINGS;
    if (more > 0) this.say(`${file}: ${more} more ${more === 1 ? 'warning' : 'warnings'}`);
  }

  /** Rewrites the line. One that is longer than the terminal is wide could not be removed again. */
  #rewrite(line: string): void {
    this.#output.write(`\r\x1b[K${cut(clean(line), (this.#output.columns || USUAL_COLUMNS) - 1)}`);
  }
}

const USUAL_COLUMNS = 80;
/** Of one document: a large one may have some for each of its pages. */
const MOST_WARNINGS = 3;
/** From here on are the characters that may take two columns. */
const FIRST_WIDE = '\u1100';

/** The beginning of a text, of so many columns at most. */
function cut(text: string, most: number): string {
  let [columns, length] = [0, 0];
  for (const character of text) {
    columns += character < FIRST_WIDE ? 1 : 2;
    if (columns > most) break;
    length += character.length;
  }
  return text.slice(0, length);
}
