import { afterEach, expect, it, vi } from 'vitest';
import { findTables } from './find-tables.ts';
import { lookThrough } from './long-texts.ts';
import { plainText } from './plain-text.ts';
import { TEXT_WORK } from './text-work.ts';

const TABLE = '| a | b |\n| - | - |\n| 1 | 2 |\n\n';

afterEach(() => void vi.restoreAllMocks());

/** Whether it was looked through by the service's own thread. */
async function lookedThrough(kind: 'plain' | 'tables', text: string) {
  const here = vi.spyOn(TEXT_WORK, kind);
  return { found: await lookThrough(kind, text, 'a'), isHere: here.mock.calls.length > 0 };
}

it('finds the same in texts of every length, and leaves the longest to a thread', async () => {
  for (const [times, isHere] of [
    [1, true],
    [2000, true],
    [12_000, false],
  ] as const) {
    const text = `**bold** ${TABLE}`.repeat(times);
    expect(await lookedThrough('plain', text)).toEqual({ found: plainText(text), isHere });
    expect(await lookedThrough('tables', text)).toEqual({ found: findTables(text), isHere });
    vi.restoreAllMocks();
  }
});
