import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import type { PackedLine, PackedQuad, PackedWord } from './packed-line.ts';

/*
 * Lines of a page as they are stored: a fifth of their JSON, which the database would read, pack and write down for longer than
 * the page was read. First comes a line, then its words; of each a byte that says what is there, its place, counted from the
 * one before, its text, and numbers.
 */

/** The first byte: another form would have another one. */
const VERSION = 1;

/** Of the byte before a line or a word. The lowest two bits say which corner of an upright box is the first. */
const CORNER = 0x03;
/** Eight numbers: it is not upright. */
const FREE = 0x04;
const HAS_CONFIDENCE = 0x08;
/** Of a word: it stands in the page's text. */
const HAS_SPAN = 0x10;
/** It stands there one character behind the word before, and is as long as its text. */
const FOLLOWS = 0x20;
/** Its upper and lower edges are those of the box before. */
const LEVEL = 0x40;
/** Of a line: it has a block. */
const HAS_BLOCK = 0x10;
/** Of a line: its text is its words with single blanks. */
const IS_JOINED = 0x20;

/** What the next numbers are counted from. */
interface Before {
  left: number;
  top: number;
  bottom: number;
  /** Where the word before ends in the page's text. */
  to: number;
}

/** Line by line: those of a dense page take long. */
export function* bytesOfLines(lines: readonly PackedLine[]): Generator<void, Buffer<ArrayBuffer>> {
  const writer = new ByteWriter();
  const before: Before = { left: 0, top: 0, bottom: 0, to: -1 };
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
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version !== VERSION) throw new Error(`positions of form ${version} are not known to this version`);
  const before: Before = { left: 0, top: 0, bottom: 0, to: -1 };
  while (!reader.isAtEnd) yield readLine(reader, before);
}

function readLine(reader: ByteReader, before: Before): PackedLine {
  const { flags, quad, confidence } = readPlace(reader, before);
  const block = flags & HAS_BLOCK ? reader.signed() : null;
  const told = flags & IS_JOINED ? null : reader.text();
  const count = reader.number();
  before.left = quad[0] ?? 0;
  const words: PackedWord[] = [];
  for (let index = 0; index < count; index++) words.push(readWord(reader, before));
  return [told ?? words.map(([word]) => word).join(' '), quad, confidence, block, words];
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

function readWord(reader: ByteReader, before: Before): PackedWord {
  const { flags, quad, confidence } = readPlace(reader, before);
  const text = reader.text();
  if (!(flags & HAS_SPAN)) return [text, quad, confidence, null, null];
  const from = before.to + (flags & FOLLOWS ? 1 : reader.signed());
  before.to = from + (flags & FOLLOWS ? text.length : reader.signed());
  return [text, quad, confidence, from, before.to];
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

function readPlace(reader: ByteReader, before: Before): { flags: number; quad: PackedQuad; confidence: number | null } {
  const flags = reader.byte();
  const quad = flags & FREE ? readFree(reader, before) : readUpright(reader, before, flags);
  return { flags, quad, confidence: flags & HAS_CONFIDENCE ? reader.number() : null };
}

function readUpright(reader: ByteReader, before: Before, flags: number): PackedQuad {
  const left = before.left + reader.signed();
  const right = left + reader.number();
  if (!(flags & LEVEL)) {
    before.top += reader.signed();
    before.bottom = before.top + reader.number();
  }
  before.left = right;
  const { top, bottom } = before;
  switch (flags & CORNER) {
    case 0:
      return [left, top, right, top, right, bottom, left, bottom];
    case 1:
      return [right, top, right, bottom, left, bottom, left, top];
    case 2:
      return [right, bottom, left, bottom, left, top, right, top];
    default:
      return [left, bottom, left, top, right, top, right, bottom];
  }
}

function readFree(reader: ByteReader, before: Before): PackedQuad {
  const x1 = before.left + reader.signed();
  const y1 = before.top + reader.signed();
  const [x2, x3, x4] = [x1 + reader.signed(), x1 + reader.signed(), x1 + reader.signed()];
  const [y2, y3, y4] = [y1 + reader.signed(), y1 + reader.signed(), y1 + reader.signed()];
  before.left = Math.max(x1, x3);
  before.top = Math.min(y1, y3);
  before.bottom = Math.max(y1, y3);
  return [x1, y1, x2, y2, x3, y3, x4, y4];
}

/** Of the corners clockwise from the one at the top left. */
function cornerOf(isLeft: boolean, isTop: boolean): number {
  if (isTop) return isLeft ? 0 : 1;
  return isLeft ? 3 : 2;
}
