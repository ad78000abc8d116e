import { randomBytes } from 'node:crypto';
import { Slices } from './slices.ts';

/** Characters of a piece. */
const PIECE = 64 * 1024;
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
  const pieces = () => written(outline, parts);
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

async function* written(outline: string, parts: readonly LargeJson[]): AsyncGenerator<string> {
  const between = outline.split(`"${MARK}"`);
  let text = between[0] ?? '';
  const slices = new Slices();
  for (const [index, part] of parts.entries()) {
    for (const piece of part.pieces()) {
      text += piece;
      if (text.length >= PIECE) {
        yield text;
        text = '';
      }
      if (slices.isOver) await slices.next();
    }
    text += between[index + 1] ?? '';
  }
  yield text;
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
