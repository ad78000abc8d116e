import type { components } from '../../../openapi/types.d.ts';

export type PageResult = components['schemas']['PageResult'];
type TextLine = components['schemas']['TextLine'];

/** A word, or a line of which the engine tells no words. */
export interface Piece {
  readonly text: string;
  readonly polygon: readonly number[];
  readonly confidence: number | undefined;
  /** Whether a blank stands behind it: between words of Chinese and Japanese there is none. */
  readonly isSpaced: boolean;
}

/** What stands on a page, line by line. */
export function piecesOf(lines: readonly TextLine[] | undefined): Piece[][] {
  return (lines ?? []).map(({ text, polygon, confidence, words = [] }) => {
    if (words.length === 0) return [{ text, polygon, confidence, isSpaced: true }];
    let at = 0;
    return words.map((word) => {
      const found = text.indexOf(word.text, at);
      if (found >= 0) at = found + word.text.length;
      const isSpaced = found < 0 || /^(\s|$)/.test(text.slice(at, at + 1));
      return { text: word.text, polygon: word.polygon, confidence: word.confidence, isSpaced };
    });
  });
}

/** Whether the engine says of any word or line how sure it is of it. */
export function hasConfidence(lines: readonly TextLine[] | undefined): boolean {
  return piecesOf(lines).some((line) => line.some(({ confidence }) => confidence !== undefined));
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
