import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

/** For so long a large answer is written in one go; then it is the turn of others. */
const SLICE_MS = 10;
/** Stands in the outline of an answer for a part that is written by itself; no text of a caller's has it. */
const MARK = `part-${randomBytes(16).toString('hex')}`;

let gathering: LargeJson[] | null = null;

/** A value that may be large as JSON: it is written a piece at a time where that is possible, else at once. */
export abstract class LargeJson {
  /** Its JSON, in pieces that are no values by themselves. */
  abstract pieces(): Iterable<string>;

  protected abstract value(): unknown;

  toJSON(): unknown {
    if (!gathering) return this.value();
    gathering.push(this);
    return MARK;
  }
}

/** As `JSON.stringify`, with turns for others while large parts are written. */
export async function jsonInTurns(value: object): Promise<string> {
  const { outline, parts } = outlineOf(value);
  if (parts.length === 0) return outline;
  const between = outline.split(`"${MARK}"`);
  const written = [between[0] ?? ''];
  let sinceMs = performance.now();
  for (const [index, part] of parts.entries()) {
    for (const piece of part.pieces()) {
      written.push(piece);
      if (performance.now() - sinceMs < SLICE_MS) continue;
      await turn();
      sinceMs = performance.now();
    }
    written.push(between[index + 1] ?? '');
  }
  return written.join('');
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
