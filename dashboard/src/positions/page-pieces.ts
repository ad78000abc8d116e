import type { components } from '../../../openapi/types.d.ts';

export type PageResult = components['schemas']['PageResult'];
type TextLine = components['schemas']['TextLine'];

/** A word, or a line of which the engine tells no words. */
export interface Piece {
  readonly text: string;
  readonly polygon: readonly number[];
  readonly confidence: number | undefined;
}

/** What stands on a page, line by line. */
export function piecesOf(lines: readonly TextLine[] | undefined): Piece[][] {
  return (lines ?? []).map((line) => (line.words?.length ? line.words : [line]).map(pieceOf));
}

function pieceOf({ text, polygon, confidence }: TextLine): Piece {
  return { text, polygon, confidence };
}

/** An upright box, in the fractions that its polygon is in. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The upright box around a piece. */
export function boxOf({ polygon }: Pick<Piece, 'polygon'>): Box {
  const xs = polygon.filter((_, index) => index % 2 === 0);
  const ys = polygon.filter((_, index) => index % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
