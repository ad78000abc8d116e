/** The size of text that browsers begin with, in CSS pixels. */
const USUAL_PX = 16;

/** A length that was planned for text of the usual size, for the reader's. */
export function inRem(px: number): string {
  return `${px / USUAL_PX}rem`;
}

/** The reader's size of text, as a multiple of the usual one. */
export function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_PX;
}
