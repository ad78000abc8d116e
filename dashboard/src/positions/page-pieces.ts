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

/** Where a text is written: from its first corner, along its first side, which is turned with the clock. */
interface Writing {
  readonly x: number;
  readonly y: number;
  readonly degrees: number;
  readonly width: number;
  readonly height: number;
}

/** How a piece is written into its polygon on a drawing that is so wide and so high. */
export function writingOf({ polygon }: Pick<Piece, 'polygon'>, [across, down]: readonly [number, number]): Writing {
  const corner = (index: number) => [(polygon[index * 2] ?? 0) * across, (polygon[index * 2 + 1] ?? 0) * down] as const;
  const [[x, y], [endX, endY], , [belowX, belowY]] = [corner(0), corner(1), corner(2), corner(3)];
  return {
    x,
    y,
    degrees: (Math.atan2(endY - y, endX - x) * 180) / Math.PI,
    width: Math.hypot(endX - x, endY - y),
    height: Math.hypot(belowX - x, belowY - y),
  };
}
