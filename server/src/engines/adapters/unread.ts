import type { Reading } from '../engine.ts';

/** The reading of a call that gave no page: what ended it, and whatever else is known of it. */
export function unread(known: Pick<Reading, 'ending' | 'billed'> & Partial<Reading>): Reading {
  return { pages: [], usage: null, providerRequestId: null, modelVersion: null, warnings: [], ...known };
}
