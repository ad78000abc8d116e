/** A character of a page, and the place at which its glyph begins. */
export interface PlacedCharacter {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Letters that are written from the right. */
const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const LETTER = /^[\p{L}]$/u;
/** Lam and alef in this order, which is right: no word has alef and lam in one glyph, so PDFium has not turned them. */
const LAM_ALEF = /^ل[اأإآٱ]$/u;

export function isWrittenFromRight(text: string): boolean {
  return FROM_RIGHT.test(text);
}

/**
 * Puts the letters of ligatures into their order. PDFium turns lines that run from the right around letter by letter, also where
 * one glyph stands for several letters: lam and alef become alef and lam. Letters that begin at the same place belong to one
 * glyph.
 */
export function orderLigatures(text: string, characters: readonly PlacedCharacter[]): string {
  const whole = characters.map((character) => character.text).join('');
  const ligatures = ligaturesOf(characters);
  let ordered = text;
  for (const reversed of new Set(ligatures.map((ligature) => ligature.text))) {
    const inPage = placesOf(reversed, whole);
    const inText = placesOf(reversed, text);
    // Where the two are not the same characters, nothing says which place is which.
    if (inPage.length !== inText.length) continue;
    const starts = new Set(ligatures.filter((ligature) => ligature.text === reversed).map(({ start }) => start));
    for (const [index, start] of inPage.entries()) {
      const at = inText[index] ?? 0;
      if (!starts.has(start)) continue;
      ordered = ordered.slice(0, at) + [...reversed].reverse().join('') + ordered.slice(at + reversed.length);
    }
  }
  return ordered;
}

/** Puts the letters of one glyph, as PDFium gives them, into their order. */
export function orderedLigature(text: string): string {
  return isTurned([...text]) ? [...text].reverse().join('') : text;
}

function isTurned(letters: readonly string[]): boolean {
  const areLetters = letters.every((letter) => LETTER.test(letter) && FROM_RIGHT.test(letter));
  return letters.length > 1 && areLetters && !LAM_ALEF.test(letters.join(''));
}

/** Groups of neighbouring letters from the right that begin at one place, with their start in the page's text. */
function ligaturesOf(characters: readonly PlacedCharacter[]): { text: string; start: number }[] {
  const found: { text: string; start: number }[] = [];
  let start = 0;
  for (let index = 0; index < characters.length; ) {
    const first = characters[index];
    let end = index + 1;
    while (first && isSamePlace(first, characters[end])) end++;
    const group = characters.slice(index, end);
    const text = group.map((character) => character.text).join('');
    if (isTurned(group.map((character) => character.text))) found.push({ text, start });
    start += text.length;
    index = end;
  }
  return found;
}

function isSamePlace(one: PlacedCharacter, other: PlacedCharacter | undefined): boolean {
  return other !== undefined && one.x === other.x && one.y === other.y;
}

function placesOf(part: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}
