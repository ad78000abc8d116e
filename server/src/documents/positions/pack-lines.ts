import { cleanText } from '../../database/storable.ts';
import type { PlacedLine, PlacedWord } from '../formats/document.ts';
import { isJoinedOf } from './line-bytes.ts';
import { LineWriter } from './line-writer.ts';
import { CONFIDENCE_STEPS, type PackedQuad, STEPS } from './packed-line.ts';
import { type Span, wordSpans } from './word-spans.ts';

/**
 * Packs lines whose boxes are fractions of the shown page, in steps, because those of a dense page take long. `text` is the
 * page's.
 */
export function* packLines(lines: readonly PlacedLine[], text: string): Generator<void, Buffer<ArrayBuffer>> {
  const texts = cleanTexts(lines.flatMap((line) => line.words.map((word) => word.text)));
  yield;
  const spans = wordSpans(text, texts);
  const writer = new LineWriter();
  let next = 0;
  for (const line of lines) {
    yield;
    const first = next;
    next += line.words.length;
    writeLine(writer, line, { texts: texts.slice(first, next), spans: spans.slice(first, next) });
  }
  return writer.written();
}

function writeLine(
  writer: LineWriter,
  line: PlacedLine,
  { texts, spans }: { texts: readonly string[]; spans: readonly (Span | null)[] },
): void {
  const { box, confidence, block, words } = line;
  const text = cleanText(lineText(line, spans));
  setSteps(writer.quad, box);
  writer.line(isJoinedOf(text, texts) ? null : text, packConfidence(confidence), { block, words: words.length });
  words.forEach((word, index) => {
    setSteps(writer.quad, word.box);
    writer.word(texts[index] ?? '', packConfidence(word.confidence), spans[index] ?? null);
  });
}

/**
 * Cleans texts. They are looked at in one go, because hardly any needs it; the break between them keeps halves of two words
 * apart.
 */
function cleanTexts(texts: readonly string[]): readonly string[] {
  const all = texts.join('\n');
  return cleanText(all) === all ? texts : texts.map(cleanText);
}

/**
 * The text of a line for which the engine gives only words: blanks stand as in the page's text, so there are none in Japanese, or
 * before a full stop that is a word.
 */
function lineText({ text, words }: PlacedLine, spans: readonly (Span | null)[]): string {
  if (!spans.some((here, index) => here && spans[index - 1]?.[1] === here[0])) return text; // with its blanks in any case
  if (text !== words.map((word) => word.text).join(' ')) return text;
  const parts = words.map((word, index) => {
    const [before, here] = [spans[index - 1], spans[index]];
    const follows = index === 0 || (before && here && before[1] === here[0]);
    return follows ? word.text : ` ${word.text}`;
  });
  return parts.join('');
}

export function packQuad(quad: PlacedWord['box']): PackedQuad {
  return quad.map(steps);
}

function setSteps(quad: Int32Array, box: PlacedWord['box']): void {
  for (let index = 0; index < quad.length; index++) quad[index] = steps(box[index] ?? 0);
}

function steps(value: number): number {
  return Math.round(value * STEPS);
}

function packConfidence(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return Math.round(Math.min(1, Math.max(0, value)) * CONFIDENCE_STEPS);
}
