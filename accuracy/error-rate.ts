/** Unicode NFC, every run of white space one blank, none at the ends. */
export function normaliseText(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** Edits (insert, delete, replace a code point) that turn what was read into the truth, over the truth's length. */
export function characterErrorRate(truth: string, read: string): number {
  return errorRate([...normaliseText(truth)], [...normaliseText(read)]);
}

/** The same over words: what stands between blanks, punctuation included, upper and lower case told apart. */
export function wordErrorRate(truth: string, read: string): number {
  return errorRate(wordsOf(truth), wordsOf(read));
}

function wordsOf(text: string): string[] {
  return normaliseText(text)
    .split(' ')
    .filter((word) => word !== '');
}

/** May be above 1 where more was read than is there. Where nothing is there, anything read is wholly wrong. */
function errorRate(truth: readonly string[], read: readonly string[]): number {
  if (truth.length === 0) return read.length === 0 ? 0 : 1;
  return editDistance(truth, read) / truth.length;
}

/** Levenshtein's distance, with one row of the table at a time. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  const row = Uint32Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, item] of a.entries()) {
    let diagonal = i;
    row[0] = i + 1;
    let left = i + 1;
    for (const [j, other] of b.entries()) {
      const above = row[j + 1] ?? 0;
      left = Math.min(above + 1, left + 1, diagonal + (item === other ? 0 : 1));
      row[j + 1] = left;
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}
