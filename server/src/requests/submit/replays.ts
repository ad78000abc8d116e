import type { DocumentStore } from '../../documents/store.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { keepDocument } from '../run/keep-document.ts';
import type { RequestLookup } from '../store/find.ts';
import { type Answering, errorOf } from './end-waiter.ts';

export interface ReplaysDeps {
  readonly lookup: RequestLookup;
  readonly store: DocumentStore;
  readonly log: Log;
}

/** What came now, under a key that may have been used before. */
export interface Sent {
  /** Its fingerprint. */
  readonly print: string;
  /** Null for a document at a URL. */
  readonly bytes: Buffer | null;
  /** Called with the id of the request that answers, before its outcome is there. */
  readonly onRequest?: ((requestId: string) => void) | undefined;
}

/** Finds the requests that idempotency keys are bound to, and answers with them. */
export class Replays {
  readonly #deps: ReplaysDeps;

  constructor(deps: ReplaysDeps) {
    this.#deps = deps;
  }

  /** The request that has the key; null where it is free, or there is none. */
  async known(accountId: string, key: string | null): Promise<OcrRequest | null> {
    return key === null ? null : this.#deps.lookup.byKey(accountId, key);
  }

  /** The request that has the key; throws the error where there is none. */
  async knownOr(error: unknown, accountId: string, key: string | null): Promise<OcrRequest> {
    const known = await this.known(accountId, key);
    if (!known) throw error;
    return known;
  }

  /** What refuses new work (history that is off, memory, a full queue) does not concern a key that is bound: it replays. */
  async knownDespite(refuse: () => void, accountId: string, key: string | null): Promise<OcrRequest | null> {
    try {
      refuse();
      return null;
    } catch (error) {
      return this.knownOr(error, accountId, key);
    }
  }

  /** The same key again: the outcome it had, or will have. Another effective request under it is refused. */
  async repeat(known: OcrRequest, { print, bytes, onRequest }: Sent): Promise<Answering> {
    if (known.fingerprint !== null && known.fingerprint !== print) {
      throw new AppError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for a different request. Send a new key for a new request.',
      );
    }
    // It ended by an error between the look-up of its key, which is free again since, and this.
    if (known.isFinished && known.errorCode && known.mode === 'sync') throw errorOf(known);
    onRequest?.(known.id);
    // The process that has the document in its memory may be gone.
    if (bytes && !known.isFinished) await keepDocument(this.#deps, known.id, bytes);
    if (!known.isFinished && known.mode === 'sync') return { request: known, isAwaited: true };
    known.replayed = true;
    if (known.isFinished) noteMissingText(known);
    return { request: known, isAwaited: false };
  }
}

/** A success that is repeated without its text says why. */
function noteMissingText(request: OcrRequest): void {
  if (request.status !== 'succeeded' || request.textRetained) return;
  request.text = null;
  request.warning =
    'The text of this result was not retained: OCR history is or was off, or the days for which it is kept are over.';
}
