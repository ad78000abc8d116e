import { cleanText } from '../../database/storable.ts';
import type { LayoutLine, LayoutWord, Quad } from '../../engines/model/page-layout.ts';
import type { PackedLine, PackedQuad, PackedWord } from './packed-line.ts';
import { type Span, wordSpans } from './word-spans.ts';

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

/** Steps of a coordinate: five decimals. */
const STEPS = 100_000;
const CONFIDENCE_STEPS = 1000;

/**
 * Lines whose boxes are fractions of the shown page, in the form in which they are stored, in steps: those of a dense page take
 * long. `text` is the page's.
 */
export function* packLines(lines: readonly LayoutLine[], text: string): Generator<void, PackedLine[]> {
  const words = lines.flatMap((line) => line.words.map((word) => cleanText(word.text)));
  yield;
  const spans = wordSpans(text, words);
  const packed: PackedLine[] = [];
  let next = 0;
  for (const line of lines) {
    yield;
    const first = next;
    next += line.words.length;
    const inside = spans.slice(first, next);
    const within = line.words.map((word, index) => packWord(words[first + index] ?? '', word, inside[index] ?? null));
    const { confidence, block } = line;
    packed.push([cleanText(lineText(line, inside)), packQuad(line.box), packConfidence(confidence), block, within]);
  }
  return packed;
}

/**
 * The text of a line of which the engine tells the words alone: as the page's text has them, without blanks in Japanese, or
 * before a point that is a word.
 */
function lineText({ text, words }: LayoutLine, spans: readonly (Span | null)[]): string {
  if (text !== words.map((word) => word.text).join(' ')) return text;
  const parts = words.map((word, index) => {
    const [before, here] = [spans[index - 1], spans[index]];
    const follows = index === 0 || (before && here && before[1] === here[0]);
    return follows ? word.text : ` ${word.text}`;
  });
  return parts.join('');
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

function packWord(text: string, { box, confidence }: LayoutWord, span: Span | null): PackedWord {
  return [text, packQuad(box), packConfidence(confidence), span?.[0] ?? null, span?.[1] ?? null];
}

function unpackWord([text, polygon, confidence, from, to]: PackedWord): TextWord {
  return {
    text,
    polygon: unpackQuad(polygon),
    ...(confidence !== null && { confidence: confidence / CONFIDENCE_STEPS }),
    ...(from !== null && to !== null && { span: [from, to] as const }),
  };
}

export function packQuad(quad: Quad): PackedQuad {
  const [x1, y1, x2, y2, x3, y3, x4, y4] = quad;
  return [steps(x1), steps(y1), steps(x2), steps(y2), steps(x3), steps(y3), steps(x4), steps(y4)];
}

function steps(value: number): number {
  return Math.round(value * STEPS);
}

export function unpackQuad(quad: PackedQuad): number[] {
  return quad.map((value) => value / STEPS);
}

function packConfidence(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return Math.round(Math.min(1, Math.max(0, value)) * CONFIDENCE_STEPS);
}
