/** Sentences of one kind that a caller is shown. */
export const MOST_OF_A_KIND = 20;
/** Characters of a caller's own word in a sentence. */
const LONGEST_WORD = 100;

/** Sentences of one kind: the first twenty, and how many more there are, so that answers do not grow with the input. */
export function countedWarnings(sentences: readonly string[], more: (count: number) => string): string[] {
  const left = sentences.length - MOST_OF_A_KIND;
  return left > 0 ? [...sentences.slice(0, MOST_OF_A_KIND), more(left)] : [...sentences];
}

/** A caller's word, fit for a sentence. */
export function printable(word: string): string {
  return word.replace(/\p{C}/gu, '').slice(0, LONGEST_WORD).toWellFormed();
}
