/** The x and y of four corners, clockwise from the one where the text begins. */
export type Quad = readonly [number, number, number, number, number, number, number, number];

export interface LayoutWord {
  readonly text: string;
  readonly box: Quad;
  /** 0 to 1; null where the engine has none. */
  readonly confidence: number | null;
}

export interface LayoutLine extends LayoutWord {
  /** Numbers columns and paragraphs, where the engine tells them. */
  readonly block: number | null;
  /** Empty where the engine tells lines alone. */
  readonly words: readonly LayoutWord[];
}

/** Where the text of a page stands, in the space of what the engine was given, in reading order. */
export interface PageLayout {
  /** Of the page, in that space: 1 and 1 where the engine answers in fractions of it. */
  readonly width: number;
  readonly height: number;
  /** What the boxes are of. */
  readonly granularity: 'word' | 'line' | 'block';
  readonly lines: readonly LayoutLine[];
}

/** The corners of an upright box. */
export function quadOf({
  left,
  top,
  width,
  height,
}: {
  left: number;
  top: number;
  width: number;
  height: number;
}): Quad {
  const [right, bottom] = [left + width, top + height];
  return [left, top, right, top, right, bottom, left, bottom];
}
