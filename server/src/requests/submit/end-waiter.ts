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
import type { Worker } from '../run/worker.ts';
import type { RequestLookup } from '../store/find.ts';
import type { PassingTexts } from '../store/passing-texts.ts';
import type { SettlementStore } from '../store/settle/settle.ts';

const POLL_MS = 1000;
/** How long a look-up waits for a database that is away. */
const LOOK_LIMIT_MS = 30_000;
/** How long other calls, in other processes, have for looking at the same end. */
const OTHERS_MS = 5000;
/** How long a caller waits beyond the time of the request: the holder of the lease settles it meanwhile. */
const GRACE_MS = 5000;

export interface EndWaiterDeps {
  readonly settlements: SettlementStore;
  readonly lookup: RequestLookup;
  readonly waiting: Waiters;
  readonly changes: RequestChanges;
  /** What runs in this process. */
  readonly worker: Pick<Worker, 'runs'>;
  readonly syncLimitMs: number;
  /** Calls for the same request may wait in other processes. */
  readonly sharesResults: boolean;
  /** Deletes what an ended request read and how it was asked for. */
  readonly forget: (requestId: string) => Promise<void>;
  readonly passing: PassingTexts;
  /** The pages of a result that is not retained, where another process has read them. */
  readonly passedPages: (requestId: string) => Promise<OcrPage[] | null>;
}

/**
 * The request that answers a call: as it is, or, where `isAwaited`, at its end. It must not hold what was sent: many calls may
 * wait for minutes.
 */
export interface Answering {
  readonly request: OcrRequest;
  readonly isAwaited: boolean;
  /** Starts the work, or stores the document again. Called once the caller waits, so that its end cannot be missed. */
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
   * Resolves with the request at its end, whether this process has the work or another one, whose settlement is found in the
   * database. Throws the error that the caller gets instead of an outcome.
   */
  async wait(request: OcrRequest, begin?: () => void): Promise<OcrRequest> {
    const { waiting, syncLimitMs } = this.#deps;
    // Both of its times are of one clock: those of two machines differ.
    const ageMs = request.ageMs ?? Date.now() - request.createdAt.getTime();
    const left = Math.min(syncLimitMs, syncLimitMs - ageMs);
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

  /** The waiting call has the result now: what was stored only for it is deleted, or left to the background job. */
  async #handOver(ended: OcrRequest): Promise<void> {
    const { include } = ended.effective;
    // Its caller gets them with the text, which is deleted below.
    if (!ended.textRetained && !ended.pageRows && include) {
      const pages = () => this.#deps.passedPages(ended.id);
      ended.pageRows = await throughOutage(pages, { limitMs: LOOK_LIMIT_MS }).catch(() => null);
    }
    if (ended.discard) await this.#forget(ended.id);
    // The preview of a partial result, and its pages, may have come the same way.
    else if (!ended.textRetained && ((ended.text ?? ended.preview) !== null || include))
      this.#deps.passing.delivered(ended.id);
  }

  /** Leaves what fails, or has not been done when the process stops, to the background job. */
  async #forget(id: string): Promise<void> {
    const forget = () => this.#deps.forget(id).catch(noMatter);
    if (this.#deps.sharesResults) setTimeout(() => void forget(), OTHERS_MS).unref();
    else await forget();
  }

  /**
   * Looks into the database: another process may have settled the request, or a crash may have undone its acceptance. What is not
   * kept is not there either: a run of this process has it, and may have settled the request without having heard so yet.
   */
  async #look(request: OcrRequest): Promise<void> {
    const { lookup, worker, waiting } = this.#deps;
    const seen = (await lookup.byId(request.id)) ?? undone(request);
    if (seen.isFinished && (seen.textRetained || !worker.runs(request.id))) waiting.resolve(seen);
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
    changes.publish(() => changeOf(ended));
  }

  /** The request as the database has it. Throws `engine_unavailable` when the database stays away. */
  async find(requestId: string): Promise<OcrRequest | null> {
    const look = () => this.#deps.lookup.byId(requestId);
    return throughOutage(look, { limitMs: LOOK_LIMIT_MS }).catch((error: unknown) => {
      throw error instanceof OutageError ? databaseIsAway(error) : error;
    });
  }
}

/** The end of a request whose acceptance a crash of the database has undone. */
function undone(request: OcrRequest): OcrRequest {
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
