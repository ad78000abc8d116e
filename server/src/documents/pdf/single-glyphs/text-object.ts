/** A piece of text as the PDF draws it, in the order in which it does. */
export interface TextObject {
  /** PDFium's name for it. */
  readonly handle: number;
  /** Where its first glyph begins, on the line that letters stand on, in the page's own coordinates. */
  readonly x: number;
  readonly y: number;
  /** Of its letters. */
  readonly size: number;
  /** Around its ink: that of a blank has no width. */
  readonly box: readonly [left: number, bottom: number, right: number, top: number];
  /** The part of the page that says by itself what it reads as (`ActualText`); 0 for none. */
  readonly span: number;
  /** What it says; empty where that is longer than a few letters. */
  readonly spanText: string;
}

export function isBlank({ box }: Pick<TextObject, 'box'>): boolean {
  return box[2] - box[0] < 0.001;
}
