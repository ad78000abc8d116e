/** From and to of a word in a text, in code points. */
export type Span = readonly [from: number, to: number];

/** So many characters may stand in the text before a word that the words do not have; further on it is another one. */
const LOOK_AHEAD = 200;

/**
 * Where words stand in the text that is made of them, in order, white space ignored. Null for a word that does not stand
 * there literally, as next to Markdown or where the text was corrected.
 */
export function wordSpans(text: string, words: readonly string[]): (Span | null)[] {
  const { dense, places } = densely(text);
  let at = 0;
  return words.map((word) => {
    const wanted = word.replace(/\s+/gu, '');
    if (wanted === '') return null;
    const part = dense.slice(at, at + LOOK_AHEAD + wanted.length);
    const found = part.indexOf(wanted);
    if (found < 0) return null;
    const from = at + found;
    at = from + wanted.length;
    const [first, last] = [places[from], places[at - 1]];
    return first === undefined || last === undefined ? null : [first, last + 1];
  });
}

/** The text without white space, and for each of its UTF-16 units the code point of the text that it belongs to. */
function densely(text: string): { dense: string; places: number[] } {
  const places: number[] = [];
  let dense = '';
  let index = 0;
  for (const character of text) {
    if (!/\s/u.test(character)) {
      dense += character;
      for (let unit = 0; unit < character.length; unit++) places.push(index);
    }
    index++;
  }
  return { dense, places };
}
