import { randomBytes } from 'node:crypto';

/**
 * `LONG`: least bytes of a text that is taken out of the outline. `PIECE`: bytes of a piece of a text, which V8 does not move.
 */
const LONG = 64 * 1024;
const PIECE = 256 * 1024;
/**
 * `LOOK`: bytes of a piece that is only looked at, for which V8 needs no new memory. `VALUES`: values that are looked at in one
 * go.
 */
const LOOK = 16 * 1024;
const VALUES = 1000;
/** Most texts. A body that has passed `requireFewValues` has fewer, so one with more is no JSON. */
const MOST_TEXTS = 400_000;

const QUOTE = code('"');
const BACKSLASH = code('\\');
const COLON = code(':');
const BLANKS = [' ', '\t', '\n', '\r'].map(code);
const MOST_BLANKS = 1000;
/** Most bytes of a letter in UTF-8. All but the first are 10xxxxxx. */
const MOST_BYTES_OF_A_LETTER = 4;
const SHORT_ESCAPE = 2;
const LONG_ESCAPE = 6;

/** Beginning of the mark of a long text. It is random, so no caller's text contains it. */
const MARK = `text-${randomBytes(16).toString('hex')}-`;

/** The range of a text in a body, without its quotes: bytes from `start` to before `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
}

/** The value of a body, with marks in place of its long texts. */
export interface Outline {
  readonly value: unknown;
  /** Ranges of the long texts, by their marks. */
  readonly texts: ReadonlyMap<unknown, TextRange>;
}

/**
 * Parses a large body without its long texts, and yields between pieces: a process waits longest for memory that is new to it, so
 * that megabytes in one go hold everybody up. Throws as JSON.parse does.
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

/** Reads a long text from its range. */
export type ReadText = (bytes: Buffer, text: TextRange) => Generator<void, string>;

/** The outline's value with its long texts in their places. Throws as JSON.parse does. */
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

/** Parses a large body, with its long texts. Yields between pieces. */
export function* largeJson(bytes: Buffer): Generator<void, unknown> {
  return yield* filled(yield* outlineOf(bytes), bytes, wholeText);
}

/**
 * The JSON between two texts, with one blank for many: megabytes of blanks would be a text that stays until V8 collects
 * everything. There are letters beyond ASCII only by mistake, and the JSON stays invalid then.
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

/** Length in bytes of the escape that stands there; 1 for any other byte. */
function unitAt(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH) return 1;
  return bytes[at + 1] === code('u') ? LONG_ESCAPE : SHORT_ESCAPE;
}

/** Whether a text is a member's name, which stays in the outline. A text that more than 1000 blanks follow is treated as one. */
function isName(bytes: Buffer, { end }: TextRange): boolean {
  let at = end + 1;
  while (at <= end + MOST_BLANKS && BLANKS.includes(bytes[at] ?? 0)) at++;
  return at > end + MOST_BLANKS || bytes[at] === COLON;
}

/** Reads all of a text. V8 keeps it as a chain of pieces until something looks into it. */
export function* wholeText(bytes: Buffer, range: TextRange): Generator<void, string> {
  let text = '';
  for (const piece of piecesOf(bytes, range, PIECE)) {
    text += piece;
    yield;
  }
  return text;
}

/**
 * Reads the beginning of a text, at least `LONG` characters where there are as many. All of it is decoded, so that an error is
 * found, but the rest is not kept.
 */
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

/** The place of the first escape or byte at or after `place`, counted from `from`, where one begins. */
function unitAfter(bytes: Buffer, from: number, place: number): number {
  let at = from;
  while (at < place) at += unitAt(bytes, at);
  return at;
}

/** The place at or after `at` where a letter begins, so that no piece divides one. */
function letterAfter(bytes: Buffer, at: number, end: number): number {
  for (let place = at; place < at + MOST_BYTES_OF_A_LETTER && place < end; place++) {
    if (((bytes[place] ?? 0) & 0xc0) !== 0x80) return place;
  }
  return at;
}

function code(mark: string): number {
  return mark.charCodeAt(0);
}
