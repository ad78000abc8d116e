import type { Caller } from '../../accounts/callers/caller.ts';
import { type Pool, query } from '../../database/pool.ts';
import { CancelledError } from '../../engines/model/stop-reasons.ts';
import { faultPoint } from '../../platform/fault.ts';
import type { Dispatch } from '../../platform/messaging/dispatch.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import { IS_OPEN } from '../model/states.ts';
import { NO_PLACE } from '../places/run-place.ts';
import type { RequestRunner } from '../run/run-request.ts';
import { settlementFromCancel } from '../run/settlement-from.ts';
import type { Waiters } from '../run/waiters.ts';
import type { Worker } from '../run/worker.ts';
import type { RequestView } from '../show/request-view.ts';
import type { RequestLookup } from '../store/find.ts';
import type { LargeRequestPages } from '../store/large-request-pages.ts';
import type { SettlementStore } from '../store/settle.ts';

/** How long a cancelling call waits for the end of the work. */
const PATIENCE_MS = 10_000;
/** The end can come in another process, and nothing may tell of it. */
const POLL_MS = 500;
/** Requests that one sweep ends. */
const BATCH = 100;

const MARK = {
  name: 'cancel-mark',
  text: `update ocr_request set cancel_requested_at = now()
         where id = $1 and ${IS_OPEN} and cancel_requested_at is null`,
};

/** Marked, and in the queue: the process that marked them is gone, or they came back from one that died. */
const QUEUED = {
  name: 'cancel-queued',
  text: `select id from ocr_request where cancel_requested_at is not null and ${IS_OPEN} and status = 'queued' limit ${BATCH}`,
};

export interface CancellationsDeps {
  readonly pool: Pool;
  readonly view: RequestView;
  readonly lookup: RequestLookup;
  readonly settlements: SettlementStore;
  readonly largeRequestPages: Pick<LargeRequestPages, 'progress'>;
  readonly runner: Pick<RequestRunner, 'run'>;
  readonly worker: Pick<Worker, 'cancel'>;
  readonly waiting: Waiters;
  readonly dispatch: Dispatch;
  readonly changes: RequestChanges;
}

/**
 * Ends requests before their own end. A mark in the request's row says so to every process; what waits is settled at once,
 * what is at work is stopped by its process: this one, one that hears of it through Redis, or one whose heartbeat reads the mark.
 */
export class Cancellations {
  readonly #deps: CancellationsDeps;
  /** Jobs that wait and are being ended with the pages that they have. */
  readonly #ending = new Map<string, Promise<unknown>>();

  constructor(deps: CancellationsDeps) {
    this.#deps = deps;
  }

  /** The request as it ended, or as it is when that takes longer than ten seconds; `not_found` for one that is not the caller's. */
  async cancel(caller: Caller | null, id: string): Promise<OcrRequest> {
    const request = await this.#deps.view.read(caller, id, 'ocr:write');
    if (request.isFinished) return request;
    await this.stop(id, PATIENCE_MS);
    return this.#deps.view.read(caller, id, 'ocr:write');
  }

  /**
   * Marks an open request and sees to its end; resolves with it, or when the patience is over. Answers the request as the mark
   * found it, where it was at work.
   */
  async stop(id: string, patienceMs: number): Promise<OcrRequest | null> {
    const { pool, lookup, worker, dispatch, waiting } = this.#deps;
    const over = new AbortController();
    const ending = waiting.until(id, AbortSignal.any([over.signal, AbortSignal.timeout(patienceMs)]));
    await query(pool, MARK, [id]);
    faultPoint('cancel-marked');
    // Only for this wait: who waits for the result is handed what the run has, which may hold more than the row.
    const look = async () => {
      const seen = await lookup.byId(id);
      if (!seen || seen.isFinished) over.abort();
      return seen;
    };
    const seen = await look();
    if (!seen || seen.isFinished || (seen.status === 'queued' && (await this.#endQueued(seen)))) return null;
    worker.cancel(id);
    dispatch.cancel(id);
    const watch = setInterval(() => void look().catch(ignore), POLL_MS);
    await ending.finally(() => clearInterval(watch));
    return seen;
  }

  /** Ends what is marked and waits; the sweeper does it from time to time. */
  async endQueued(): Promise<void> {
    const { pool, lookup } = this.#deps;
    for (const { id } of await query<{ id: string }>(pool, QUEUED, [])) {
      const seen = await lookup.byId(id);
      if (seen?.status !== 'queued') continue;
      // One whose wallet is locked is met again: the others do not wait for it, nor for a job with many pages.
      if (seen.jobId !== null) void this.#endQueued(seen).catch(ignore);
      else await this.#endQueued(seen, 0).catch(ignore);
    }
  }

  /** False when a process has claimed it meanwhile, which the mark tells to end it. */
  async #endQueued(seen: OcrRequest, patienceMs?: number): Promise<boolean> {
    const { settlements, lookup, waiting, dispatch, changes } = this.#deps;
    if (await this.#hasPages(seen)) return this.#endJob(seen);
    const answer = await settlements.settle(seen, settlementFromCancel(seen, 'queued'), { patienceMs });
    if (answer === 'lost') return false;
    const ended = await lookup.byId(seen.id);
    if (!ended) return true;
    waiting.resolve(ended);
    dispatch.ended(ended.id);
    changes.tell(() => changeOf(ended));
    return true;
  }

  /** Pages that were read before a job came back to the queue are its caller's. */
  async #hasPages({ id, jobId }: OcrRequest): Promise<boolean> {
    if (jobId === null) return false;
    const { done, failed } = await this.#deps.largeRequestPages.progress(id);
    return done + failed.length > 0;
  }

  /** Ends it as one that is at work, without its document and without a lease: who claims it meanwhile does the same. */
  async #endJob(seen: OcrRequest): Promise<boolean> {
    const { runner, lookup } = this.#deps;
    const { id } = seen;
    const begin = () => {
      const stop = new AbortController();
      stop.abort(new CancelledError('the request was cancelled while it waited'));
      return runner.run({ request: seen, document: null, isStored: true }, stop, NO_PLACE);
    };
    const run = this.#ending.get(id) ?? begin();
    this.#ending.set(id, run);
    await run.finally(() => this.#ending.delete(id));
    return (await lookup.byId(id))?.isFinished ?? true;
  }
}

/** Looked at again. */
function ignore(): void {}
