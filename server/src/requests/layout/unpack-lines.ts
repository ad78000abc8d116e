import {
  CONFIDENCE_STEPS,
  type PackedLine,
  type PackedQuad,
  type PackedWord,
  STEPS,
} from '../../documents/positions/packed-line.ts';
import type { Span } from '../../documents/positions/word-spans.ts';

/** A line of text where it stands on the page as it is shown. */
export interface TextLine extends TextWord {
  readonly block?: number;
  readonly words?: readonly TextWord[];
}

/** A word: its polygon in fractions of the page, and where it stands in the page's text, in code points. */
interface TextWord {
  readonly text: string;
  readonly polygon: readonly number[];
  readonly confidence?: number;
  readonly span?: Span;
}

/** The same for callers; without its words where they are not asked for. */
export function unpackLines(lines: Iterable<PackedLine>, { words }: { words: boolean }): TextLine[] {
  return Array.from(lines, (line) => unpackLine(line, { words }));
}

export function unpackLine(
  [text, polygon, confidence, block, inside]: PackedLine,
  { words }: { words: boolean },
): TextLine {
  return {
    text,
    polygon: unpackQuad(polygon),
    ...(confidence !== null && { confidence: confidence / CONFIDENCE_STEPS }),
    ...(block !== null && { block }),
    ...(words && inside.length > 0 && { words: inside.map(unpackWord) }),
  };
}

function unpackWord([text, polygon, confidence, from, to]: PackedWord): TextWord {
  return {
    text,
    polygon: unpackQuad(polygon),
    ...(confidence !== null && { confidence: confidence / CONFIDENCE_STEPS }),
    ...(from !== null && to !== null && { span: [from, to] as const }),
  };
}

export function unpackQuad(quad: PackedQuad): number[] {
  return quad.map((value) => value / STEPS);
}
