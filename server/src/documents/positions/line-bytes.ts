import { LineCursor } from './line-cursor.ts';
import { LineWriter } from './line-writer.ts';
import type { PackedLine, PackedWord } from './packed-line.ts';

/*
 * Lines of a page as they are stored: a fifth of their JSON, which the database would read, pack and write down for longer than
 * the page was read.
 */

const BLANK = 0x20;

/**
 * Encodes lines in the form in which an earlier version keeps them. It yields after each line, because those of a dense page take
 * long.
 */
export function* bytesOfLines(lines: readonly PackedLine[]): Generator<void, Buffer<ArrayBuffer>> {
  const writer = new LineWriter();
  for (const [text, quad, confidence, block, words] of lines) {
    const isJoined = isJoinedOf(
      text,
      words.map(([word]) => word),
    );
    writer.quad.set(quad);
    writer.line(isJoined ? null : text, confidence, { block, words: words.length });
    for (const [word, box, sure, from, to] of words) {
      writer.quad.set(box);
      writer.word(word, sure, from === null || to === null ? null : [from, to]);
    }
    yield;
  }
  return writer.written();
}

/** Whether a text is its words with single blanks between them. */
export function isJoinedOf(text: string, words: readonly string[]): boolean {
  let at = 0;
  for (const word of words) {
    if (at > 0 && text.charCodeAt(at - 1) !== BLANK) return false;
    if (!text.startsWith(word, at)) return false;
    at += word.length + 1;
  }
  return words.length > 0 && at === text.length + 1;
}

/** Decodes lines one by one, as they are asked for. Throws for bytes in a form of another version. */
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
