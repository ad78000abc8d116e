/** The range of a word in a text, from and to, in code points. */
export type Span = readonly [from: number, to: number];

/** Characters of the text that may stand before a word without belonging to one; further on it is another word. */
const LOOK_AHEAD = 200;
const BLANK = 0x20;
/** Last code for which only 9 to 13 and the blank are white space. */
const LAST_OF_ASCII = 0x7f;

/**
 * The ranges of words in the text that is made of them, in order; white space is ignored. Null for a word that does not stand
 * there literally, as next to Markdown or where the text was corrected.
 */
export function wordSpans(text: string, words: readonly string[]): (Span | null)[] {
  const finder = new SpanFinder(text);
  const haveBlanks = /\s/u.test(words.join(''));
  return words.map((word) => {
    const at = haveBlanks && /\s/u.test(word) ? -1 : finder.ahead(word, 0, word.length);
    return at < 0 ? finder.find(word) : [at, at + word.length];
  });
}

/** Finds ranges of words one by one, in order: first directly where the word before ends, and then further on. */
export class SpanFinder {
  readonly #text: string;
  readonly #dense: DenseText;
  /** Whether each unit of the text is a code point: the next word is then looked for directly behind the last one. */
  readonly #looksAhead: boolean;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#dense = new DenseText(text);
    this.#looksAhead = !/[\ud800-\udfff]/.test(text);
  }

  /** The place of a word, a part of `texts` without white space, if it comes next; below 0 where it does not. */
  ahead(texts: string, from: number, to: number): number {
    if (!this.#looksAhead || from === to) return -1;
    const next = behindBlanks(this.#text, this.#at);
    for (let index = from; index < to; index++) {
      if (this.#text.charCodeAt(next + index - from) !== texts.charCodeAt(index)) return -1;
    }
    this.#at = next + to - from;
    return next;
  }

  /** The range of a word that does not come next; null where it is not found. */
  find(word: string): Span | null {
    const dense = this.#dense;
    const found = dense.find(word, this.#looksAhead ? dense.placeOf(this.#at) : this.#at);
    if (found) this.#at = this.#looksAhead ? found.span[1] : found.end;
    return found?.span ?? null;
  }
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text, at)) at++;
  return at;
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= LAST_OF_ASCII) return code === BLANK || (code >= 0x09 && code <= 0x0d);
  return /\s/u.test(text.charAt(at));
}

/** A text without white space. */
class DenseText {
  readonly #text: string;
  #made: { dense: string; places: number[] } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Finds a word behind a place of the dense text, not too far: its range in the text, and its end in the dense text. */
  find(word: string, at: number): { span: Span; end: number } | null {
    const wanted = word.replace(/\s+/gu, '');
    if (wanted === '') return null;
    const { dense, places } = this.#densely();
    const found = dense.slice(at, at + LOOK_AHEAD + wanted.length).indexOf(wanted);
    if (found < 0) return null;
    const end = at + found + wanted.length;
    const [first, last] = [places[at + found], places[end - 1]];
    return first === undefined || last === undefined ? null : { span: [first, last + 1], end };
  }

  /** The first unit of the dense text at a code point of the text, or behind it. */
  placeOf(point: number): number {
    const { places } = this.#densely();
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) < point) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The dense text, and for each of its UTF-16 units the code point of the text that it belongs to. */
  #densely(): { dense: string; places: number[] } {
    if (this.#made) return this.#made;
    const places: number[] = [];
    let dense = '';
    let index = 0;
    for (const character of this.#text) {
      if (!/\s/u.test(character)) {
        dense += character;
        for (let unit = 0; unit < character.length; unit++) places.push(index);
      }
      index++;
    }
    this.#made = { dense, places };
    return this.#made;
  }
}
