import { OutageError, throughOutage } from '../../database/outage.ts';
import { AppError } from '../../platform/errors.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import type { OcrPage } from '../model/ocr-page.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import { notReached } from '../read/not-reached.ts';
import { databaseIsAway } from '../run/end-unacknowledged.ts';
import { settlementFromError } from '../run/settlement-from.ts';
import type { Waiters } from '../run/waiters.ts';
import type { RequestLookup } from '../store/find.ts';
import type { PassingTexts } from '../store/passing-texts.ts';
import type { SettlementStore } from '../store/settle.ts';

const POLL_MS = 1000;
/** How long a request that is known waits to be looked at. */
const LOOK_LIMIT_MS = 30_000;
/** What the holder of the lease gets to write its end after the time is over. */
const GRACE_MS = 5000;

export interface EndWaiterDeps {
  readonly settlements: SettlementStore;
  readonly lookup: RequestLookup;
  readonly waiting: Waiters;
  readonly changes: RequestChanges;
  readonly syncLimitMs: number;
  /** Deletes what is left of a request of which nothing is kept. */
  readonly forget: (requestId: string) => Promise<void>;
  readonly passing: PassingTexts;
  /** The pages of a result that no one keeps, where another process read them. */
  readonly passedPages: (requestId: string) => Promise<OcrPage[] | null>;
}

/**
 * The request that answers a call: as it stands, or, where it is awaited, at its end. It holds nothing of what was sent: a call may wait
 * for minutes, and many of them side by side.
 */
export interface Answering {
  readonly request: OcrRequest;
  readonly isAwaited: boolean;
  /** Called once the end cannot be missed. */
  readonly begin?: () => void;
}

/** Waits, for a synchronous caller, until a request has ended: in this process or in another one. */
export class EndWaiter {
  readonly #deps: EndWaiterDeps;

  constructor(deps: EndWaiterDeps) {
    this.#deps = deps;
  }

  /** What the caller gets; throws the error that the caller gets instead. */
  async answer({ request, isAwaited, begin }: Answering): Promise<OcrRequest> {
    return isAwaited ? this.wait(request, begin) : request;
  }

  /**
   * Resolves with the request at its end: told by this process, or seen in the database when another process has the
   * work. `begin` is called once nothing can be missed. Throws the error that the caller gets instead.
   */
  async wait(request: OcrRequest, begin?: () => void): Promise<OcrRequest> {
    const { waiting, syncLimitMs } = this.#deps;
    // By the database's clock where it was read from there: one that is ahead of ours must not make the wait longer.
    const left = Math.min(syncLimitMs, request.createdAt.getTime() + syncLimitMs - Date.now());
    const told = new AbortController();
    const ending = waiting.until(request.id, told.signal);
    begin?.();
    const timer = setTimeout(() => told.abort(), Math.max(0, left + GRACE_MS));
    let looks = false;
    const watch = setInterval(() => {
      if (looks) return; // a large text takes longer than a second, and has its turn
      looks = true;
      void this.#look(request)
        .catch(() => undefined)
        .finally(() => {
          looks = false;
        });
    }, POLL_MS);
    const expiry = setTimeout(() => void this.#expireQueued(request.id).catch(() => undefined), Math.max(0, left));
    try {
      // Accepted is accepted: a database that cannot be asked now makes no failure of it.
      const ended = (await ending) ?? (await this.find(request.id).catch(() => null)) ?? request;
      if (ended.isFinished) await this.#handOver(ended);
      if (ended.isFinished && ended.errorCode) throw errorOf(ended);
      return ended;
    } finally {
      clearTimeout(timer);
      clearTimeout(expiry);
      clearInterval(watch);
    }
  }

  /** The waiting call has the result now: what was kept for that alone is deleted, or left to the background job. */
  async #handOver(ended: OcrRequest): Promise<void> {
    const { include } = ended.effective;
    // Its caller gets them with the text, which is deleted below.
    if (!ended.textRetained && !ended.pageRows && include) {
      ended.pageRows = await this.#deps.passedPages(ended.id).catch(() => null);
    }
    if (ended.discard) await this.#deps.forget(ended.id).catch(() => undefined);
    // The preview of a partial result, and its pages, may have come the same way.
    else if (!ended.textRetained && ((ended.text ?? ended.preview) !== null || include))
      this.#deps.passing.delivered(ended.id);
  }

  /** What the database says: the work may have ended elsewhere, or a crash may have taken the acceptance back. */
  async #look(request: OcrRequest): Promise<void> {
    const seen = (await this.#deps.lookup.byId(request.id)) ?? takenBack(request);
    if (seen.isFinished) this.#deps.waiting.resolve(seen);
  }

  /** A synchronous request that is still queued when its time is over never reaches an engine. */
  async #expireQueued(id: string): Promise<void> {
    const { lookup, settlements, waiting, changes } = this.#deps;
    const seen = await lookup.byId(id);
    if (seen?.status !== 'queued' || seen.mode !== 'sync') return;
    const answer = await settlements.settle(seen, settlementFromError(seen, notReached()));
    if (answer === 'lost') return;
    const ended = await lookup.byId(id);
    if (!ended) return;
    waiting.resolve(ended);
    changes.tell(() => changeOf(ended));
  }

  /** The request as the database has it. Throws `engine_unavailable` when the database stays away. */
  async find(requestId: string): Promise<OcrRequest | null> {
    const look = () => this.#deps.lookup.byId(requestId);
    return throughOutage(look, { limitMs: LOOK_LIMIT_MS, onPause: noMatter }).catch((error: unknown) => {
      throw error instanceof OutageError ? databaseIsAway(error) : error;
    });
  }
}

function takenBack(request: OcrRequest): OcrRequest {
  const error = new AppError('internal_error', 'The request was lost in a crash of the database. Nothing was charged.');
  const { status, outcome, errorCode, providerError } = settlementFromError(request, error);
  return Object.assign(new OcrRequest(), request, { status, outcome, errorCode, providerError });
}

/** The error of a request whose key is free again. */
export function errorOf(request: OcrRequest): AppError {
  const code = request.errorCode ?? 'internal_error';
  const retry = code === 'engine_unavailable' ? { retryAfterSeconds: 10 } : {};
  return new AppError(code, request.providerError ?? 'The request could not be processed.', retry);
}

function noMatter(): void {}
