/** A word and its edges, in fractions of the page as it is shown. */
export interface WordOnPage {
  readonly page: number;
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** By so much of the page the middle of a word may lie beside where it was read. */
const NEAR = 0.015;
/** By so much of the page an edge of a word may lie beside where another program has it. */
const SAME_EDGE = 0.01;

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
  const placed = wanted.filter((word) => {
    const [x, y] = middleOf(word);
    return namesakes(word, found).some((other) => {
      const [otherX, otherY] = middleOf(other);
      return Math.abs(otherX - x) <= NEAR && Math.abs(otherY - y) <= NEAR;
    });
  });
  return wanted.length === 0 ? 1 : placed.length / wanted.length;
}

/** Of the words that the other program has as well, on the same page: those of which it has all four edges at the same place. */
export function sameEdges(words: readonly WordOnPage[], others: readonly WordOnPage[]): { both: number; same: number } {
  const both = words.filter((word) => namesakes(word, others).length > 0);
  const same = both.filter((word) =>
    namesakes(word, others).some((other) =>
      (['left', 'top', 'right', 'bottom'] as const).every((edge) => Math.abs(word[edge] - other[edge]) <= SAME_EDGE),
    ),
  );
  return { both: both.length, same: same.length };
}

function namesakes({ page, text }: WordOnPage, words: readonly WordOnPage[]): WordOnPage[] {
  return words.filter((other) => other.page === page && other.text === text);
}

function middleOf({ left, top, right, bottom }: WordOnPage): [x: number, y: number] {
  return [(left + right) / 2, (top + bottom) / 2];
}
