import { cleanText } from '../../database/storable.ts';
import type { PageSize, PlacedWords } from '../formats/document.ts';
import { LettersByTurn } from './letters-by-turn.ts';
import { LineWriter } from './line-writer.ts';
import { MOST_CHARACTERS, MOST_WORDS } from './pack-page.ts';
import { STEPS } from './packed-line.ts';
import type { FoundWords } from './placed-words.ts';
import { SpanFinder } from './word-spans.ts';

const BOX_NUMBERS = 8;
const LINE_FEED = '\n';

/**
 * Packs words of a text layer directly: the bytes are those that lines as objects would give, but making those takes longer than
 * finding the words. Null for a page that needs more: words off the page, too many of them, text that cannot be stored, or words
 * that follow each other without a blank. `text` is the page's, as it is stored.
 */
export function packFoundWords(
  found: FoundWords,
  { page, text }: { page: PageSize; text: string },
): PlacedWords | null {
  const { texts, boxes, lineBoxes, lineLengths } = found;
  const count = boxes.length / BOX_NUMBERS;
  if (count > MOST_WORDS || 2 * texts.length > MOST_CHARACTERS) return null;
  if (!areWithin(boxes) || !areWithin(lineBoxes) || cleanText(texts) !== texts) return null;
  const letters = new LettersByTurn(page);
  const writer = new WordWriter(found, text);
  for (const [index, words] of lineLengths.entries()) {
    const before = writer.end;
    if (!writer.line(index, words)) return null;
    letters.add(lineBoxes.slice(BOX_NUMBERS * index, BOX_NUMBERS * (index + 1)), writer.end - before - 1);
  }
  return { count, page: { textAngle: letters.angle, bytes: writer.written() } };
}

function areWithin(boxes: readonly number[]): boolean {
  for (const value of boxes) if (!(value >= 0 && value <= 1)) return false;
  return true;
}

/** Writes lines with their words, in order. */
class WordWriter {
  readonly #found: FoundWords;
  readonly #spans: SpanFinder;
  readonly #writer = new LineWriter();
  #words = 0;
  /** End of the word before in the page's text. */
  #spanEnd = -1;
  /** Place behind the break after the last written word. */
  end = 0;

  constructor(found: FoundWords, text: string) {
    this.#found = found;
    this.#spans = new SpanFinder(text);
  }

  /**
   * Writes a line. False where two of its words follow each other without a blank: its text is then not its words with blanks.
   */
  line(index: number, words: number): boolean {
    this.#setQuad(this.#found.lineBoxes, index);
    this.#writer.line(null, null, { block: null, words });
    this.#spanEnd = -1;
    for (let left = words; left > 0; left--) if (!this.#word()) return false;
    return true;
  }

  written(): Buffer<ArrayBuffer> {
    return this.#writer.written();
  }

  #word(): boolean {
    const { texts, boxes } = this.#found;
    const from = this.end;
    const feed = texts.indexOf(LINE_FEED, from);
    const to = feed < 0 ? texts.length : feed;
    this.end = to + 1;
    this.#setQuad(boxes, this.#words++);
    const at = this.#spans.ahead(texts, from, to);
    const follows = at >= 0 ? this.#write(from, to, at) : this.#writeElsewhere(texts.slice(from, to));
    return !follows;
  }

  /** Writes a word that stands at `at` in the page's text; answers whether it follows the word before without a blank. */
  #write(from: number, to: number, at: number): boolean {
    this.#writer.part(this.#found.texts, { from, to, at });
    const follows = at === this.#spanEnd;
    this.#spanEnd = at + to - from;
    return follows;
  }

  /** Writes a word that stands elsewhere in the page's text, or not in it; answers the same. */
  #writeElsewhere(word: string): boolean {
    const span = this.#spans.find(word);
    this.#writer.word(word, null, span);
    const follows = span !== null && span[0] === this.#spanEnd;
    this.#spanEnd = span?.[1] ?? -1;
    return follows;
  }

  #setQuad(boxes: readonly number[], index: number): void {
    const { quad } = this.#writer;
    for (let number = 0; number < BOX_NUMBERS; number++) {
      quad[number] = Math.round((boxes[BOX_NUMBERS * index + number] ?? 0) * STEPS);
    }
  }
}
