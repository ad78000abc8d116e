import type { Ending, Reading } from './engine.ts';

/** What an engine says, without the characters that no text column holds: NUL, and half of a surrogate pair. */
export function storableReading(reading: Reading): Reading {
  return {
    ...reading,
    ending:
      'message' in reading.ending
        ? ({ ...reading.ending, message: clean(reading.ending.message) } as Ending)
        : reading.ending,
    pages: reading.pages.map((page) => ({ ...page, text: clean(page.text) })),
    warnings: reading.warnings.map(clean),
  };
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
