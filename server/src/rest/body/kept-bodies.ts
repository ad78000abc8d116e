import type { ServerResponse } from 'node:http';
import { AppError } from '../../platform/errors.ts';
import { BodyBudget } from './body-budget.ts';
import { DOCUMENT_BODY_BYTES } from './body-limits.ts';

/** Copies of a document that came as base64: the text (of GraphQL calls), the decoded bytes, and what is sent to an engine. */
const COPIES = 3;
const RETRY_AFTER_SECONDS = 10;

/**
 * Counts the bodies of calls that are not answered yet, by party: their documents stay in memory until then. One party may have a
 * quarter of the memory, so that what it lets wait does not have all others refused.
 */
export class KeptBodies {
  readonly #budget: BodyBudget;

  constructor(memoryBytes: number) {
    const shareBytes = Math.max(2 * DOCUMENT_BODY_BYTES, Math.floor(memoryBytes / 4 / COPIES));
    this.#budget = new BodyBudget({ totalBytes: Number.POSITIVE_INFINITY, shareBytes });
  }

  /** Counts a body until its call is answered. Throws 503 where its party has as much as it may. */
  keep(res: ServerResponse, party: string, bytes: number): void {
    if (!this.#budget.take(party, bytes)) throw tooMuchAtOnce();
    if (res.closed) this.#budget.give(party, bytes);
    else res.once('close', () => this.#budget.give(party, bytes));
  }
}

function tooMuchAtOnce(): AppError {
  const message =
    'The documents of this account that are being read take as much memory as they may. Nothing was taken in; try again.';
  return new AppError('engine_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
