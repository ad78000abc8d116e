import type { Caller } from '../../accounts/callers/caller.ts';
import type { DocumentStore } from '../../documents/store.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { isPastRetention } from '../model/retained-until.ts';
import { keepDocument } from '../run/keep-document.ts';
import type { RequestLookup } from '../store/find.ts';
import { type Answering, errorOf } from './end-waiter.ts';

export interface ReplaysDeps {
  readonly lookup: RequestLookup;
  readonly store: DocumentStore;
  readonly log: Log;
}

const NOT_RETAINED = 'The text of this result was not retained: OCR history is or was off.';
const NO_LONGER_RETAINED = 'The text of this result was not retained: the days for which it is kept are over.';

/** What came now, under a key that may have been used before. */
export interface Sent {
  readonly caller: Caller;
  /** Whether a fingerprint is that of what was sent. */
  readonly isSame: (print: string) => boolean;
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

  /**
   * What refuses new work (the catalogue, history that is off, memory, a full queue) does not concern a key that is bound: it
   * replays.
   */
  async knownDespite(refuse: () => void, accountId: string, key: string | null): Promise<OcrRequest | null> {
    try {
      refuse();
      return null;
    } catch (error) {
      return this.knownOr(error, accountId, key);
    }
  }

  /** The same key again: the outcome it had, or will have. Another effective request under it is refused. */
  async repeat(known: OcrRequest, { caller, isSame, bytes, onRequest }: Sent): Promise<Answering> {
    if (known.fingerprint !== null && !isSame(known.fingerprint)) {
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
    if (known.isFinished) noteMissingText(known, caller);
    return { request: known, isAwaited: false };
  }
}

/** A result that is repeated without what was read says why. */
function noteMissingText(request: OcrRequest, caller: Caller): void {
  if (request.textRetained) return;
  const isOver = caller.history && isPastRetention(request, caller);
  const why = isOver ? NO_LONGER_RETAINED : NOT_RETAINED;
  Object.assign(request, { text: null, preview: null });
  if (request.status === 'succeeded') request.warning = why;
  // Of a partial result it was said at its end; what is deleted since has no word of it.
  if (request.status === 'partial') request.warning ??= why;
}
