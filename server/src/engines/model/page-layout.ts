import type { PackedPage } from '../../documents/formats/document.ts';
import type { TableGrid } from '../../documents/markdown/text-table.ts';
import { maxOf, minOf } from '../../platform/numbers/extremes.ts';

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

/** A table that the engine tells apart from the text. */
export interface LayoutTable extends TableGrid {
  /** Null where the engine does not say where it stands. */
  readonly box: Quad | null;
}

/** Where the text of a page stands, in the space of what the engine was given, in reading order. */
export interface PageLayout {
  /** Of the page, in that space: 1 and 1 where the engine answers in fractions of it. */
  readonly width: number;
  readonly height: number;
  /** What the boxes of lines are of; `none` where there are tables alone. */
  readonly granularity: 'word' | 'line' | 'block' | 'none';
  readonly lines: readonly LayoutLine[];
  /** Instead of lines: they are packed already, where they stand on the page as it is shown; null where there are too many. */
  readonly packed?: PackedPage | null;
  /** In reading order; absent where the engine tells none, whatever its text has. */
  readonly tables?: readonly LayoutTable[];
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

/** Four corners as a provider lists them; null where there are not four. */
export function quadFrom(corners: readonly (readonly [number, number])[]): Quad | null {
  return quadFromNumbers(corners.flat());
}

/** The same as eight numbers. */
export function quadFromNumbers(numbers: readonly number[]): Quad | null {
  // Eight numbers are a quad.
  return numbers.length === 8 && numbers.every(Number.isFinite) ? (numbers as unknown as Quad) : null;
}

/**
 * The corners of a line, by those of its words in their order: along the direction in which its first word runs, so that a
 * turned line keeps its beginning.
 */
export function quadAround(quads: readonly Quad[]): Quad {
  const [first] = quads;
  if (!first) return [0, 0, 0, 0, 0, 0, 0, 0];
  const [x1, y1, x2, y2] = first;
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const along: number[] = [];
  const across: number[] = [];
  for (const quad of quads) {
    for (let i = 0; i < quad.length; i += 2) {
      const [x, y] = [(quad[i] ?? 0) - x1, (quad[i + 1] ?? 0) - y1];
      along.push(x * dx + y * dy);
      across.push(y * dx - x * dy);
    }
  }
  const at = (a: number, b: number) => [x1 + a * dx - b * dy, y1 + a * dy + b * dx] as const;
  const [left, right] = [minOf(along), maxOf(along)];
  const [top, bottom] = [minOf(across), maxOf(across)];
  return [...at(left, top), ...at(right, top), ...at(right, bottom), ...at(left, bottom)];
}
