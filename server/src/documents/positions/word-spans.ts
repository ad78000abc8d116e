/** From and to of a word in a text, in code points. */
export type Span = readonly [from: number, to: number];

/** So many characters may stand in the text before a word that the words do not have; further on it is another one. */
const LOOK_AHEAD = 200;
const BLANK = 0x20;
/** Codes up to here are white space from 9 to 13 and as the blank alone. */
const LAST_OF_ASCII = 0x7f;

/**
 * Where words stand in the text that is made of them, in order, white space ignored. Null for a word that does not stand
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

/** The same one by one, in order: first right where the word before ends, and what is not there further on. */
export class SpanFinder {
  readonly #text: string;
  readonly #dense: DenseText;
  /** Where each unit is a code point, the next word mostly stands right there. */
  readonly #looksAhead: boolean;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#dense = new DenseText(text);
    this.#looksAhead = !/[\ud800-\udfff]/.test(text);
  }

  /** Where a word, a part of `texts` without white space, stands next; below 0 where it does not. */
  ahead(texts: string, from: number, to: number): number {
    if (!this.#looksAhead || from === to) return -1;
    const next = behindBlanks(this.#text, this.#at);
    for (let index = from; index < to; index++) {
      if (this.#text.charCodeAt(next + index - from) !== texts.charCodeAt(index)) return -1;
    }
    this.#at = next + to - from;
    return next;
  }

  /** Of a word that does not stand right there. */
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

  /** The word behind a place of the dense text, not too far: where it stands in the text, and where it ends here. */
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

  /** The first unit that stands at a code point of the text, or behind it. */
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

  /** And for each of its UTF-16 units the code point of the text that it belongs to. */
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
