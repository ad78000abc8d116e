import { LineCursor } from '../../documents/positions/line-cursor.ts';
import { JsonBytes } from './json-bytes.ts';

const DIGITS = 5;
const CONFIDENCE_DIGITS = 3;

const TEXT = Buffer.from('{"text":"');
const POLYGON = Buffer.from('","polygon":[');
const CONFIDENCE = Buffer.from(',"confidence":');
const END_OF_POLYGON = Buffer.from(']');
const BLOCK = Buffer.from(',"block":');
const WORDS = Buffer.from(',"words":[');
const SPAN = Buffer.from(',"span":[');
const COMMA = Buffer.from(',');
const BLANK = Buffer.from(' ');
const END = Buffer.from('}');
const END_OF_LIST = Buffer.from(']}');

/**
 * Lines as bytes, each as JSON for callers, as `unpackLine` makes it: no strings or objects come in between, of which the words
 * of a long document make more than the rest of its answer takes. What it yields is the same memory each time.
 */
export function* jsonOfLines(bytes: Buffer, { words }: { words: boolean }): Generator<Buffer> {
  const cursor = new LineCursor(bytes);
  const [line, text, place, inside] = [new JsonBytes(), new JsonBytes(), new JsonBytes(), new JsonBytes()];
  while (cursor.nextLine()) {
    for (const part of [line, text, place, inside]) part.clear();
    const { isJoined } = cursor;
    if (!isJoined) text.text(cursor.bytes, cursor.textFrom, cursor.textTo);
    writePlace(place, cursor);
    writeBlock(place, cursor);
    const count = cursor.wordsLeft;
    for (let index = 0; cursor.nextWord(); index++) {
      if (isJoined && index > 0) text.raw(BLANK);
      if (isJoined) text.text(cursor.bytes, cursor.textFrom, cursor.textTo);
      if (words && index > 0) inside.raw(COMMA);
      if (words) writeWord(inside, cursor);
    }
    line.raw(TEXT);
    line.append(text);
    line.append(place);
    if (words && count > 0) {
      line.raw(WORDS);
      line.append(inside);
      line.raw(END_OF_LIST);
    } else line.raw(END);
    yield line.written();
  }
}

function writeWord(json: JsonBytes, cursor: LineCursor): void {
  json.raw(TEXT);
  json.text(cursor.bytes, cursor.textFrom, cursor.textTo);
  writePlace(json, cursor);
  const { from, to } = cursor;
  if (from === null || to === null) json.raw(END);
  else {
    json.raw(SPAN);
    json.integer(from);
    json.raw(COMMA);
    json.integer(to);
    json.raw(END_OF_LIST);
  }
}

/** What stands behind a text, but for the last brace. */
function writePlace(json: JsonBytes, { quad, confidence }: LineCursor): void {
  json.raw(POLYGON);
  for (let index = 0; index < quad.length; index++) {
    if (index > 0) json.raw(COMMA);
    json.fraction(quad[index] ?? 0, DIGITS);
  }
  json.raw(END_OF_POLYGON);
  if (confidence === null) return;
  json.raw(CONFIDENCE);
  json.fraction(confidence, CONFIDENCE_DIGITS);
}

function writeBlock(json: JsonBytes, { block }: LineCursor): void {
  if (block === null) return;
  json.raw(BLOCK);
  json.integer(block);
}
