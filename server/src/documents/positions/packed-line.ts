/** Steps of a coordinate: five decimals. */
export const STEPS = 100_000;
export const CONFIDENCE_STEPS = 1000;

/** Eight whole numbers, in hundred thousandths of the page. */
export type PackedQuad = readonly number[];

/** A word: text, polygon, confidence in thousandths or null, and its range in the page's text: from and to, or nulls. */
export type PackedWord = readonly [string, PackedQuad, number | null, number | null, number | null];

/** A line: text, polygon, confidence in thousandths or null, block or null, words. */
export type PackedLine = readonly [string, PackedQuad, number | null, number | null, readonly PackedWord[]];
