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
