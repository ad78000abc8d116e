import { randomBytes } from 'node:crypto';
import { textInTurns } from './text-in-turns.ts';

/** Stands in the outline of an answer for a part that is written by itself; no text of a caller's has it. */
const MARK = `part-${randomBytes(16).toString('hex')}`;

let gathering: LargeJson[] | null = null;

/** A value that may be large as JSON: it is written a piece at a time where that is possible, else at once. */
export abstract class LargeJson {
  /** About how many characters its JSON has. */
  abstract get size(): number;

  /** Its JSON, in pieces that are no values by themselves. */
  abstract pieces(): Iterable<string>;

  protected abstract value(): unknown;

  toJSON(): unknown {
    if (!gathering) return this.value();
    gathering.push(this);
    return MARK;
  }
}

/** A value as JSON, with turns for others while its large parts are written. */
export interface TurnedJson {
  /** Of its large parts, in characters: about. */
  readonly size: number;
  /** For whoever takes it as it is made. */
  pieces(): AsyncGenerator<string>;
  whole(): Promise<string>;
}

export function jsonInTurns(value: object): TurnedJson {
  const { outline, parts } = outlineOf(value);
  const pieces = () => textInTurns(filled(outline, parts));
  return {
    size: parts.reduce((sum, part) => sum + part.size, 0),
    pieces,
    whole: async () => {
      if (parts.length === 0) return outline;
      const all: string[] = [];
      for await (const piece of pieces()) all.push(piece);
      return all.join('');
    },
  };
}

/** The outline with its parts in it. */
function* filled(outline: string, parts: readonly LargeJson[]): Generator<string> {
  const [first = '', ...between] = outline.split(`"${MARK}"`);
  yield first;
  for (const [index, part] of parts.entries()) {
    yield* part.pieces();
    yield between[index] ?? '';
  }
}

function outlineOf(value: object): { outline: string; parts: readonly LargeJson[] } {
  const parts: LargeJson[] = [];
  gathering = parts;
  try {
    return { outline: JSON.stringify(value), parts };
  } finally {
    gathering = null;
  }
}
