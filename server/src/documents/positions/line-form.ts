/*
 * The form of lines as bytes. First comes a line, then its words; of each a byte that says what is there, its place, counted
 * from the one before, its text, and numbers.
 */

/** The first byte, which numbers the form. */
export const VERSION = 1;

/** Flags in the byte before a line or a word. The lowest two bits number the corner of an upright box that comes first. */
export const CORNER = 0x03;
/** The box is not upright: it has eight numbers. */
export const FREE = 0x04;
export const HAS_CONFIDENCE = 0x08;
/** The word stands in the page's text. */
export const HAS_SPAN = 0x10;
/** The word stands in the page's text one character behind the word before, and is as long as its text. */
export const FOLLOWS = 0x20;
/** The upper and lower edges are those of the box before. */
export const LEVEL = 0x40;
/** The line has a block. */
export const HAS_BLOCK = 0x10;
/** The text of the line is its words with single blanks. */
export const IS_JOINED = 0x20;

/** Values from which the next numbers are counted. */
export interface Before {
  left: number;
  top: number;
  bottom: number;
  /** End of the word before in the page's text. */
  to: number;
}

export function atBeginning(): Before {
  return { left: 0, top: 0, bottom: 0, to: -1 };
}
