/**
 * Four corners in fractions of the page as a viewer shows it, from its top left: x1 y1 … x4 y4, clockwise from the corner
 * where the text begins.
 */
export type Polygon = readonly number[];

export interface OutputWord {
  readonly text: string;
  readonly polygon: Polygon;
}

export interface OutputLine {
  readonly text: string;
  readonly polygon: Polygon;
  /** The words of the line; empty where only the line's place is known. */
  readonly words?: readonly OutputWord[] | undefined;
}

/** The text that was read on a page, as far as a text layer needs it. Lines are in reading order. */
export interface OutputPage {
  /** Counted from 1. */
  readonly page: number;
  readonly lines: readonly OutputLine[];
}

/** The visible part of a page before it is turned, in points of its own coordinates, and the turn. */
export interface PageFrame {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
  /** Degrees, clockwise. */
  readonly rotate: 0 | 90 | 180 | 270;
}
