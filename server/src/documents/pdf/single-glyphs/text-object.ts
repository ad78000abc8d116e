/** A piece of text as the PDF draws it; pieces come in drawing order. */
export interface TextObject {
  /** PDFium's handle of the object. */
  readonly handle: number;
  /** The place where its first glyph begins, on the line that letters stand on, in the page's own coordinates. */
  readonly x: number;
  readonly y: number;
  /** Size of its letters. */
  readonly size: number;
  /** The box around its ink; a blank has no width. */
  readonly box: readonly [left: number, bottom: number, right: number, top: number];
  /** The part of the page with a text of its own (`ActualText`) that it belongs to; 0 for none. */
  readonly span: number;
  /** The text of that part; empty where it is longer than a few letters. */
  readonly spanText: string;
}

export function isBlank({ box }: Pick<TextObject, 'box'>): boolean {
  return box[2] - box[0] < 0.001;
}
