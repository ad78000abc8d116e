import { randomBytes } from 'node:crypto';
import { bytesInTurns, wholeInTurns } from './bytes-in-turns.ts';

/** Stands in the outline of an answer for a part that is written by itself; no text of a caller's has it. */
const MARK = `part-${randomBytes(16).toString('hex')}`;

let gathering: LargeJson[] | null = null;

/** A value that may be large as JSON: it is written a piece at a time where that is possible, else at once. */
export abstract class LargeJson {
  /** About how many characters its JSON has. */
  abstract get size(): number;

  /** Bytes in memory that it is made of. */
  abstract get held(): number;

  /** Its JSON, in pieces that are no values by themselves; bytes are UTF-8, and may be the same memory each time. */
  abstract pieces(): Iterable<string | Uint8Array>;

  protected abstract value(): unknown;

  toJSON(): unknown {
    if (!gathering) return this.value();
    gathering.push(this);
    return MARK;
  }
}

/** Characters of a text from which on it is such a part. */
const LONG = 128 * 1024;
/** Characters that are written in one go. */
const PIECE = 32 * 1024;

class LongText extends LargeJson {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  get size(): number {
    return this.#text.length;
  }

  get held(): number {
    return Buffer.byteLength(this.#text);
  }

  protected value(): string {
    return this.#text;
  }

  *pieces(): Generator<string> {
    yield '"';
    for (let from = 0; from < this.#text.length; ) {
      const to = endOfPiece(this.#text, from + PIECE);
      yield JSON.stringify(this.#text.slice(from, to)).slice(1, -1);
      from = to;
    }
    yield '"';
  }
}

/** Not between the halves of a letter: JSON would have each as an escape. */
function endOfPiece(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end;
}

/** A value as JSON, with turns for others while its large parts are written. */
export interface TurnedJson {
  /** Of its large parts, in characters: about. */
  readonly size: number;
  /** Bytes in memory that these are made of. */
  readonly held: number;
  /** For whoever takes it as it is made. */
  pieces(): AsyncGenerator<Buffer>;
  /** Its UTF-8 between two texts, as one piece. */
  bytes(head: string, tail: string): Promise<Buffer>;
  whole(): Promise<string>;
}

export function jsonInTurns(value: object): TurnedJson {
  const { outline, parts } = outlineOf(value);
  const pieces = () => bytesInTurns(filled(outline, parts));
  const heldBytes = () => parts.reduce((sum, { held }) => sum + held, 0);
  return {
    size: parts.reduce((sum, { size }) => sum + size, 0),
    get held() {
      return heldBytes();
    },
    pieces,
    bytes: (head, tail) => wholeInTurns(within(head, filled(outline, parts), tail), outline.length + heldBytes()),
    whole: async () => {
      if (parts.length === 0) return outline;
      const all: string[] = [];
      for await (const piece of pieces()) all.push(piece.toString()); // no letter is divided
      return all.join('');
    },
  };
}

/** Whether a value has a part that takes long to be written. */
export function hasLargePart(value: unknown): boolean {
  if (value instanceof LargeJson) return value.size >= LONG;
  if (typeof value !== 'object' || value === null) return isLongText(value);
  return Object.values(value).some(hasLargePart);
}

/** The outline with its parts in it. */
function* filled(outline: string, parts: readonly LargeJson[]): Generator<string | Uint8Array> {
  const [first = '', ...between] = outline.split(`"${MARK}"`);
  yield first;
  for (const [index, part] of parts.entries()) {
    yield* part.pieces();
    yield between[index] ?? '';
  }
}

function* within(head: string, parts: Iterable<string | Uint8Array>, tail: string): Generator<string | Uint8Array> {
  yield head;
  yield* parts;
  yield tail;
}

function outlineOf(value: object): { outline: string; parts: readonly LargeJson[] } {
  const parts: LargeJson[] = [];
  gathering = parts;
  try {
    if (!hasLongText(value)) return { outline: JSON.stringify(value), parts };
    const outline = JSON.stringify(value, (_key, part: unknown) => {
      if (!isLongText(part)) return part;
      parts.push(new LongText(part));
      return MARK;
    });
    return { outline, parts };
  } finally {
    gathering = null;
  }
}

function hasLongText(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof LargeJson) return isLongText(value);
  return Object.values(value).some(hasLongText);
}

function isLongText(value: unknown): value is string {
  return typeof value === 'string' && value.length >= LONG;
}
