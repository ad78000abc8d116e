import { ByteWriter } from './byte-writer.ts';
import { LineCursor } from './line-cursor.ts';
import {
  atBeginning,
  type Before,
  FOLLOWS,
  FREE,
  HAS_BLOCK,
  HAS_CONFIDENCE,
  HAS_SPAN,
  IS_JOINED,
  LEVEL,
  VERSION,
} from './line-form.ts';
import type { PackedLine, PackedQuad, PackedWord } from './packed-line.ts';

/*
 * Lines of a page as they are stored: a fifth of their JSON, which the database would read, pack and write down for longer than
 * the page was read.
 */

/** Line by line: those of a dense page take long. */
export function* bytesOfLines(lines: readonly PackedLine[]): Generator<void, Buffer<ArrayBuffer>> {
  const writer = new ByteWriter();
  const before = atBeginning();
  writer.byte(VERSION);
  for (const [text, quad, confidence, block, words] of lines) {
    const isJoined = words.length > 0 && text === words.map(([word]) => word).join(' ');
    const flags = (block === null ? 0 : HAS_BLOCK) | (isJoined ? IS_JOINED : 0);
    writePlace(writer, before, { quad, confidence, flags });
    if (block !== null) writer.signed(block);
    if (!isJoined) writer.text(text);
    writer.number(words.length);
    before.left = quad[0] ?? 0;
    for (const word of words) writeWord(writer, before, word);
    yield;
  }
  return writer.written();
}

/** One by one, as they are asked for. Throws for a form that another version wrote. */
export function* linesOfBytes(bytes: Buffer): Generator<PackedLine> {
  const cursor = new LineCursor(bytes);
  while (cursor.nextLine()) {
    const { confidence, block } = cursor;
    const told = cursor.isJoined ? null : cursor.text();
    const quad = [...cursor.quad];
    const words: PackedWord[] = [];
    while (cursor.nextWord()) {
      words.push([cursor.text(), [...cursor.quad], cursor.confidence, cursor.from, cursor.to]);
    }
    yield [told ?? words.map(([word]) => word).join(' '), quad, confidence, block, words];
  }
}

function writeWord(writer: ByteWriter, before: Before, [text, quad, confidence, from, to]: PackedWord): void {
  const hasSpan = from !== null && to !== null;
  const follows = hasSpan && from === before.to + 1 && to - from === text.length;
  writePlace(writer, before, { quad, confidence, flags: (hasSpan ? HAS_SPAN : 0) | (follows ? FOLLOWS : 0) });
  writer.text(text);
  if (!hasSpan) return;
  if (!follows) {
    writer.signed(from - before.to);
    writer.signed(to - from);
  }
  before.to = to;
}

function writePlace(
  writer: ByteWriter,
  before: Before,
  { quad, confidence, flags }: { quad: PackedQuad; confidence: number | null; flags: number },
): void {
  const known = flags | (confidence === null ? 0 : HAS_CONFIDENCE);
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0] = quad;
  const [left, right] = x1 < x3 ? [x1, x3] : [x3, x1];
  const [top, bottom] = y1 < y3 ? [y1, y3] : [y3, y1];
  const corner = cornerOf(x1 === left, y1 === top);
  const turns = corner % 2 === 1;
  const isUpright = turns
    ? x1 === x2 && y2 === y3 && x3 === x4 && y4 === y1
    : y1 === y2 && x2 === x3 && y3 === y4 && x4 === x1;
  if (isUpright) {
    const level = top === before.top && bottom === before.bottom;
    writer.byte(known | corner | (level ? LEVEL : 0));
    writer.signed(left - before.left);
    writer.number(right - left);
    if (!level) {
      writer.signed(top - before.top);
      writer.number(bottom - top);
    }
  } else {
    writer.byte(known | FREE);
    writer.signed(x1 - before.left);
    writer.signed(y1 - before.top);
    for (const x of [x2, x3, x4]) writer.signed(x - x1);
    for (const y of [y2, y3, y4]) writer.signed(y - y1);
  }
  if (confidence !== null) writer.number(confidence);
  before.left = right;
  before.top = top;
  before.bottom = bottom;
}

/** Of the corners clockwise from the one at the top left. */
function cornerOf(isLeft: boolean, isTop: boolean): number {
  if (isTop) return isLeft ? 0 : 1;
  return isLeft ? 3 : 2;
}
