import { cleanText as clean, storableConfidence } from '../../database/storable.ts';
import type { Ending, Reading } from './engine.ts';

/**
 * What an engine says, without the characters that no text column holds (NUL, and half of a surrogate pair), and with
 * confidences that are numbers from 0 to 1.
 */
export function storableReading(reading: Reading): Reading {
  return {
    ...reading,
    ending:
      'message' in reading.ending
        ? ({ ...reading.ending, message: clean(reading.ending.message), ...cleanQuote(reading.ending) } as Ending)
        : reading.ending,
    pages: reading.pages.map((page) => ({
      ...page,
      text: clean(page.text),
      confidence: storableConfidence(page.confidence),
    })),
    warnings: reading.warnings.map(clean),
    ...(reading.quotes && { quotes: reading.quotes.map(clean) }),
  };
}

function cleanQuote(ending: Ending): { quote?: string } {
  return 'quote' in ending && ending.quote !== undefined ? { quote: clean(ending.quote) } : {};
}

/** What of its messages and warnings is the engine's or its provider's own. */
export function quotesOf({ ending, quotes = [] }: Reading): readonly string[] {
  return 'quote' in ending && ending.quote !== undefined ? [ending.quote, ...quotes] : quotes;
}

/** The reading of a call that gave no page: what ended it, and whatever else is known of it. */
export function unread(known: Pick<Reading, 'ending' | 'billed'> & Partial<Reading>): Reading {
  return { pages: [], usage: null, providerRequestId: null, modelVersion: null, warnings: [], ...known };
}

/** How a call ends that was stopped for its time. */
export const OUT_OF_TIME: Ending = {
  kind: 'timeout',
  message: 'The engine did not answer in time; its work was stopped.',
};
