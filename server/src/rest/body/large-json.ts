import { randomBytes } from 'node:crypto';

/** Bytes of a text from which on it stands apart; of a piece of one, which V8 does not move any more; values looked at in one go. */
const LONG = 64 * 1024;
const PIECE = 256 * 1024;
/** Of one that is only looked at: V8 makes it in memory that it has. */
const LOOK = 16 * 1024;
const VALUES = 1000;
/** More than a body has whose values are few enough (`requireFewValues`): one that has as many is no JSON. */
const MOST_TEXTS = 400_000;

const QUOTE = code('"');
const BACKSLASH = code('\\');
const COLON = code(':');
const BLANKS = [' ', '\t', '\n', '\r'].map(code);
const MOST_BLANKS = 1000;
/** What follows the first byte of a letter in UTF-8: 10xxxxxx. */
const MOST_BYTES_OF_A_LETTER = 4;
const SHORT_ESCAPE = 2;
const LONG_ESCAPE = 6;

/** Stands in the outline of a body for a long text; no text of a caller's has it. */
const MARK = `text-${randomBytes(16).toString('hex')}-`;

/** Where a text stands in a body, without its quotes. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
}

/** A body's value with marks in place of its long texts. */
export interface Outline {
  readonly value: unknown;
  /** The long texts by their marks. */
  readonly texts: ReadonlyMap<unknown, TextRange>;
}

/**
 * What JSON.parse makes of a large body, yielding between its pieces, but for its long texts: memory that is new to the process
 * costs more than all else, so that megabytes in one go hold everybody up. Throws as JSON.parse does.
 */
export function* outlineOf(bytes: Buffer): Generator<void, Outline> {
  const outline: string[] = [];
  const texts = new Map<string, TextRange>();
  let written = 0;
  let passed = 0;
  function* passTo(place: number): Generator<void, void> {
    if (place - passed < LONG) return;
    outline.push(bytes.toString('utf8', written, passed), yield* fewBlanks(bytes, passed, place));
    written = place;
  }
  for (let quote = bytes.indexOf(QUOTE), seen = 0; quote >= 0; ) {
    if (++seen > MOST_TEXTS) throw new SyntaxError('more texts than values');
    if (seen % VALUES === 0) yield;
    yield* passTo(quote);
    const text = yield* textFrom(bytes, quote + 1);
    passed = text.end + 1;
    if (text.end - text.start >= LONG && !isName(bytes, text)) {
      const mark = `${MARK}${texts.size}`;
      texts.set(mark, text);
      outline.push(bytes.toString('utf8', written, text.start), mark);
      written = text.end;
    }
    quote = bytes.indexOf(QUOTE, text.end + 1);
  }
  yield* passTo(bytes.length);
  outline.push(bytes.toString('utf8', written));
  yield;
  return { value: JSON.parse(outline.join('')), texts };
}

/** How a long text is read. */
export type ReadText = (bytes: Buffer, text: TextRange) => Generator<void, string>;

/** The same value with its long texts in their places. Throws as JSON.parse does. */
export function* filled({ value, texts }: Outline, bytes: Buffer, readText: ReadText): Generator<void, unknown> {
  const whole = { value };
  const waiting: object[] = texts.size === 0 ? [] : [whole];
  for (let seen = 0, holder = waiting.pop(); holder; holder = waiting.pop()) {
    for (const name of Object.keys(holder)) {
      const inner: unknown = (holder as Record<string, unknown>)[name];
      const text = texts.get(inner);
      if (text) Object.assign(holder, { [name]: yield* readText(bytes, text) });
      else if (typeof inner === 'object' && inner !== null) waiting.push(inner);
      if (++seen % VALUES === 0) yield;
    }
  }
  return whole.value;
}

/** The whole value, with its texts. */
export function* largeJson(bytes: Buffer): Generator<void, unknown> {
  return yield* filled(yield* outlineOf(bytes), bytes, wholeText);
}

/**
 * What stands between two texts, with one blank for many: megabytes of them would be a text that stays until V8 collects
 * everything. No letter stands there but by mistake, which it stays.
 */
function* fewBlanks(bytes: Buffer, start: number, end: number): Generator<void, string> {
  const pieces: string[] = [];
  for (let from = start; from < end; from += LOOK) {
    pieces.push(bytes.toString('latin1', from, Math.min(from + LOOK, end)).replaceAll(/[ \t\n\r]+/g, ' '));
    yield;
  }
  return pieces.join('');
}

function* textFrom(bytes: Buffer, start: number): Generator<void, TextRange> {
  const quote = bytes.indexOf(QUOTE, start);
  const end = quote < 0 ? bytes.length : quote;
  const first = bytes.subarray(start, end).indexOf(BACKSLASH);
  if (first < 0) return { start, end, isEscaped: false };
  let at = start + first;
  for (let next = at + PIECE; at < bytes.length && bytes[at] !== QUOTE; at += unitAt(bytes, at)) {
    if (at < next) continue;
    next = at + PIECE;
    yield;
  }
  return { start, end: Math.min(at, bytes.length), isEscaped: true };
}

/** Bytes of the escape or the byte that stands there. */
function unitAt(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH) return 1;
  return bytes[at + 1] === code('u') ? LONG_ESCAPE : SHORT_ESCAPE;
}

/** Names of members stay where they are, and so does a text that so many blanks follow. */
function isName(bytes: Buffer, { end }: TextRange): boolean {
  let at = end + 1;
  while (at <= end + MOST_BLANKS && BLANKS.includes(bytes[at] ?? 0)) at++;
  return at > end + MOST_BLANKS || bytes[at] === COLON;
}

/** All of a text: a chain of pieces until somebody looks into it. */
export function* wholeText(bytes: Buffer, range: TextRange): Generator<void, string> {
  let text = '';
  for (const piece of piecesOf(bytes, range, PIECE)) {
    text += piece;
    yield;
  }
  return text;
}

/** What a text begins with, more than `LONG` bytes of it: all is looked at, and the rest not kept. */
export function* beginningOfText(bytes: Buffer, range: TextRange): Generator<void, string> {
  let text = '';
  for (const piece of piecesOf(bytes, range, LOOK)) {
    if (text.length <= LONG) text += piece;
    yield;
  }
  return text;
}

function* piecesOf(bytes: Buffer, { start, end, isEscaped }: TextRange, size: number): Generator<string> {
  for (let from = start; from < end; ) {
    const to = isEscaped ? unitAfter(bytes, from, from + size) : from + size;
    const cut = letterAfter(bytes, Math.min(to, end), end);
    yield JSON.parse(`"${bytes.toString('utf8', from, cut)}"`);
    from = cut;
  }
}

/** Where the next escape or byte after that place begins, of those from `from` on. */
function unitAfter(bytes: Buffer, from: number, place: number): number {
  let at = from;
  while (at < place) at += unitAt(bytes, at);
  return at;
}

/** Where the next letter begins: no piece divides one. */
function letterAfter(bytes: Buffer, at: number, end: number): number {
  for (let place = at; place < at + MOST_BYTES_OF_A_LETTER && place < end; place++) {
    if (((bytes[place] ?? 0) & 0xc0) !== 0x80) return place;
  }
  return at;
}

function code(mark: string): number {
  return mark.charCodeAt(0);
}
