/** A word and its middle, in fractions of the page. */
export interface WordOnPage {
  readonly page: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** By so much of the page the middle of a word may lie beside where it was read. */
const NEAR = 0.015;

/** A word that is divided at the end of a line: `pdftotext` joins it. */
const DIVIDED = /(?<=\p{L})-\n(?=\p{L})/gu;

/** How often each word stands in a text. */
export function bagOf(text: string): Map<string, number> {
  const bag = new Map<string, number>();
  for (const word of text.normalize('NFKC').replace(DIVIDED, '').split(/\s+/)) {
    if (word !== '' && word !== '---') bag.set(word, (bag.get(word) ?? 0) + 1);
  }
  return bag;
}

/** Of the words of one bag: the share that is not in the other. */
export function lostShare(wanted: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): number {
  let [all, lost] = [0, 0];
  for (const [word, count] of wanted) {
    all += count;
    lost += Math.max(0, count - (found.get(word) ?? 0));
  }
  return all === 0 ? 0 : lost / all;
}

/** The share of words that stand in the file where they were read. */
export function placedShare(wanted: readonly WordOnPage[], found: readonly WordOnPage[]): number {
  const placed = wanted.filter(({ page, text, x, y }) =>
    found.some(
      (other) =>
        other.page === page && other.text === text && Math.abs(other.x - x) <= NEAR && Math.abs(other.y - y) <= NEAR,
    ),
  );
  return wanted.length === 0 ? 1 : placed.length / wanted.length;
}
