import { atOnce } from '../../platform/turns/slices.ts';
import { lineKinds } from './code-fences.ts';
import { readPipeTable } from './pipe-table.ts';
import { plainInline } from './plain-inline.ts';
import { withoutQuoteMarks } from './quote-marks.ts';
import { type Block, splitBlocks } from './split-blocks.ts';

/** Rules that are dropped. `---` stands between pages and stays; longer rules are drawn by the document and stay, too. */
const DROPPED_RULE = /^ {0,3}(?:\*\*\*|___|([-*_])[ \t]+\1[ \t]+\1)[ \t]*$/;
const HEADING_MARK = /^ {0,3}#{1,6}[ \t]+/;

const NOTHING: Block = { text: '', ending: '', isPlain: true };
/** Lines that are looked at in one go. */
const LINES = 1000;
/** Characters of a long line: some ten milliseconds for one of marks. */
const LONG_LINE = 32 * 1024;

/**
 * Turns Markdown into plain text, by the eight conversion rules of the interface. Text that is plain already comes back
 * byte-identical: line ends, blank lines, list markers, underscores, links and pipe lines are text.
 */
export function plainText(markdown: string): string {
  return atOnce(plainTextInTurns(markdown));
}

/** `plainText` in steps, which yields now and then. */
export function* plainTextInTurns(markdown: string): Generator<void, string> {
  const blocks: Block[] = [];
  const marked: (string | null)[] = [];
  for (const block of splitBlocks(markdown)) {
    marked.push(block.isPlain ? '' : block.text); // what stands between two lines with marks is for the rules an empty line
    if (blocks.push(block) % LINES === 0) yield;
  }
  if (blocks.every(({ isPlain }) => isPlain)) return markdown;
  const kinds = yield* lineKinds(marked as string[]); // none is null yet
  for (const [i, kind] of kinds.entries()) {
    if (kind !== 'text') marked[i] = null;
  }
  const texts = yield* withoutQuoteMarks(marked);
  const kept = new KeptLines();
  for (let i = 0, seen = 0; i < blocks.length; i += 1, seen += 1) {
    if (seen % LINES === 0) {
      kept.gather();
      yield;
    }
    const { text: raw, ending, isPlain } = blocks[i] ?? NOTHING;
    const text = texts[i] ?? raw;
    if (isPlain || kinds[i] === 'code') kept.add(raw, ending);
    if (isPlain || kinds[i] !== 'text' || DROPPED_RULE.test(text)) continue;
    const table = text.includes('|') ? yield* readPipeTable(texts, i) : null;
    if (table) {
      for (const row of table.rows) kept.add(row, ending);
      i += table.length - 1;
      continue;
    }
    kept.add(yield* inlineInTurns(headingText(text) ?? text), ending);
  }
  return kept.whole();
}

/**
 * Converts a line. One that is longer than any that somebody wrote is converted in pieces that end before a blank, where there is
 * one.
 */
function* inlineInTurns(line: string): Generator<void, string> {
  if (line.length <= LONG_LINE) return plainInline(line);
  const pieces: string[] = [];
  for (let from = 0; from < line.length; ) {
    const limit = from + LONG_LINE;
    const blank = limit < line.length ? line.lastIndexOf(' ', limit) : line.length;
    const end = blank > from ? blank : limit;
    pieces.push(plainInline(line.slice(from, end)));
    from = end;
    yield;
  }
  return pieces.join('');
}

/** Gathers lines with their endings, except the ending of the last one. */
class KeptLines {
  readonly #gathered: string[] = [];
  #parts: string[] = [];
  #ending = '';

  add(text: string, ending: string): void {
    this.#parts.push(this.#ending, text);
    this.#ending = ending;
  }

  /** Makes one text of what has been added since the last time. */
  gather(): void {
    this.#gathered.push(this.#parts.join(''));
    this.#parts = [];
  }

  whole(): string {
    this.gather();
    return this.#gathered.join('');
  }
}

/** The text of an ATX heading; null for any other line. A marker without text (a column headed `#`) is text itself. */
function headingText(line: string): string | null {
  const mark = HEADING_MARK.exec(line);
  if (!mark) return null;
  const content = line.slice(mark[0].length);
  const trimmed = content.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end -= 1;
  const closed = end < trimmed.length && (end === 0 || /[ \t]/.test(trimmed[end - 1] ?? ''));
  const text = closed ? trimmed.slice(0, end).trimEnd() : content;
  return text.trim() === '' ? null : text;
}
