import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

const MOST_TRIES = 20;

/**
 * What is shown is what the rows say. Engines are probed and hours end meanwhile: a look during which the rows changed
 * is no look. `compare` is equality unless figures are rounded.
 */
export async function agree<T>(
  facts: () => Promise<T>,
  shown: () => Promise<unknown>,
  compare: (seen: unknown, fact: T) => void = (seen, fact) => expect(seen).toEqual(fact),
): Promise<T> {
  for (let n = 0; n < MOST_TRIES; n++) {
    const before = await facts();
    const seen = await shown();
    if (!isDeepStrictEqual(before, await facts())) continue;
    compare(seen, before);
    return before;
  }
  throw new Error(`in ${MOST_TRIES} looks the rows never stood still`);
}
