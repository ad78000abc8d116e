/*
 * The form of lines as bytes. First comes a line, then its words; of each a byte that says what is there, its place, counted
 * from the one before, its text, and numbers.
 */

/** The first byte: another form would have another one. */
export const VERSION = 1;

/** Of the byte before a line or a word. The lowest two bits say which corner of an upright box is the first. */
export const CORNER = 0x03;
/** Eight numbers: it is not upright. */
export const FREE = 0x04;
export const HAS_CONFIDENCE = 0x08;
/** Of a word: it stands in the page's text. */
export const HAS_SPAN = 0x10;
/** It stands there one character behind the word before, and is as long as its text. */
export const FOLLOWS = 0x20;
/** Its upper and lower edges are those of the box before. */
export const LEVEL = 0x40;
/** Of a line: it has a block. */
export const HAS_BLOCK = 0x10;
/** Of a line: its text is its words with single blanks. */
export const IS_JOINED = 0x20;

/** What the next numbers are counted from. */
export interface Before {
  left: number;
  top: number;
  bottom: number;
  /** Where the word before ends in the page's text. */
  to: number;
}

export function atBeginning(): Before {
  return { left: 0, top: 0, bottom: 0, to: -1 };
}
