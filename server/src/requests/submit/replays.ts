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
const DELETED = 'The text of this result was not retained: it was deleted, or was not to be kept.';
const NO_LONGER_RETAINED = 'The text of this result was not retained: the days for which it is kept are over.';

/** A call, whose idempotency key may be bound to an earlier request. */
export interface Sent {
  readonly caller: Caller;
  /** Whether this call's request has the fingerprint. */
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

  /** The request that the key is bound to; null for a free key, and without one. */
  async boundTo(accountId: string, key: string | null): Promise<OcrRequest | null> {
    return key === null ? null : this.#deps.lookup.byKey(accountId, key);
  }

  /** The request that the key is bound to; throws `error` where there is none. */
  async boundOrThrow(error: unknown, accountId: string, key: string | null): Promise<OcrRequest> {
    const known = await this.boundTo(accountId, key);
    if (!known) throw error;
    return known;
  }

  /**
   * Null where `refuse` does not throw. Where it does (an unknown engine, history that is off, short memory, a full queue), the
   * request that the key is bound to, which replays all the same; what `refuse` has thrown for a free key.
   */
  async boundIfRefused(refuse: () => void, accountId: string, key: string | null): Promise<OcrRequest | null> {
    try {
      refuse();
      return null;
    } catch (error) {
      return this.boundOrThrow(error, accountId, key);
    }
  }

  /** Answers a call with the request that its key is bound to. Throws `idempotency_key_reused` for another effective request. */
  async repeat(known: OcrRequest, { caller, isSame, bytes, onRequest }: Sent): Promise<Answering> {
    if (known.fingerprint !== null && !isSame(known.fingerprint)) {
      throw new AppError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for a different request. Send a new key for a new request.',
      );
    }
    // It has ended by an error since it was looked up, which has freed its key.
    if (known.isFinished && known.errorCode && known.mode === 'sync') throw errorOf(known);
    onRequest?.(known.id);
    if (!known.isFinished && known.mode === 'sync') {
      return { request: known, isAwaited: true, begin: bytes ? this.#keeping(known.id, bytes) : noMatter };
    }
    if (bytes && !known.isFinished) await keepDocument(this.#deps, known.id, bytes);
    known.replayed = true;
    if (known.isFinished) noteMissingText(known, caller);
    return { request: known, isAwaited: false };
  }

  /**
   * Stores a document again, once, since the process that had it in memory may be gone. To be called when the call waits: it could
   * miss the end of the request otherwise.
   */
  #keeping(id: string, bytes: Buffer): () => void {
    let held: Buffer | null = bytes;
    return () => {
      if (held) void keepDocument(this.#deps, id, held);
      held = null; // the call may wait for minutes
    };
  }
}

function noMatter(): void {}

/** Notes in a replayed result without text why the text is missing. */
function noteMissingText(request: OcrRequest, caller: Caller): void {
  if (request.textRetained) return;
  const isOver = isPastRetention(request, caller);
  const why = request.discard ? DELETED : isOver ? NO_LONGER_RETAINED : NOT_RETAINED;
  Object.assign(request, { text: null, preview: null });
  if (request.status === 'succeeded') request.warning = why;
  // A partial result has its warning since its end, unless that was deleted with the text or says that the preview is kept.
  if (request.status === 'partial') request.warning = isOver ? why : (request.warning ?? why);
}
