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
import type { SettlementStore } from '../store/settle/settle.ts';

/** How long a cancelling call waits for the end of the work. */
const PATIENCE_MS = 10_000;
/** Another process may settle the request without a hint reaching this one: the database is asked as well. */
const POLL_MS = 500;
/** Requests that one sweep ends. */
const BATCH = 100;

const MARK = {
  name: 'cancel-mark',
  text: `update ocr_request set cancel_requested_at = now()
         where id = $1 and ${IS_OPEN} and cancel_requested_at is null`,
};

/** Marked requests that are queued: the process that marked them has ended, or they have come back from one that died. */
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
 * Ends requests early. The mark in the request's row tells every process. A queued request is settled at once; one at work is
 * stopped by its process: this one, one that gets the hint through Redis, or one whose heartbeat reads the mark.
 */
export class Cancellations {
  readonly #deps: CancellationsDeps;
  /** Queued large requests that are being settled with their finished pages, by id. */
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
   * Marks an open request, and resolves when it has ended, or after `patienceMs`. Answers the request as it was when it was
   * marked, if it was at work then; null otherwise.
   */
  async stop(id: string, patienceMs: number): Promise<OcrRequest | null> {
    const { pool, lookup, worker, dispatch, waiting } = this.#deps;
    const over = new AbortController();
    const ending = waiting.until(id, AbortSignal.any([over.signal, AbortSignal.timeout(patienceMs)]));
    await query(pool, MARK, [id]);
    faultPoint('cancel-marked');
    // Ends only this wait. Callers that wait for the result get it from the run, which may have more than the row.
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

  /** Settles marked requests that are queued. The sweeper calls it from time to time. */
  async endQueued(): Promise<void> {
    const { pool, lookup } = this.#deps;
    for (const { id } of await query<{ id: string }>(pool, QUEUED, [])) {
      const seen = await lookup.byId(id);
      if (seen?.status !== 'queued') continue;
      // A request whose wallet is locked is tried again by the next sweep. The others wait neither for it nor for a large request.
      if (seen.jobId !== null) void this.#endQueued(seen).catch(ignore);
      else await this.#endQueued(seen, 0).catch(ignore);
    }
  }

  /** False where a process has claimed it meanwhile: that process ends it by the mark. */
  async #endQueued(seen: OcrRequest, patienceMs?: number): Promise<boolean> {
    const { settlements, lookup, waiting, dispatch, changes } = this.#deps;
    if (await this.#hasPages(seen)) return this.#endJob(seen);
    const answer = await settlements.settle(seen, settlementFromCancel(seen, 'queued'), { patienceMs });
    if (answer === 'lost') return false;
    const ended = await lookup.byId(seen.id);
    if (!ended) return true;
    waiting.resolve(ended);
    dispatch.ended(ended.id);
    changes.publish(() => changeOf(ended));
    return true;
  }

  /** Whether a large request that came back to the queue has pages already: its caller gets and pays them. */
  async #hasPages({ id, jobId }: OcrRequest): Promise<boolean> {
    if (jobId === null) return false;
    const { done, failed } = await this.#deps.largeRequestPages.progress(id);
    return done + failed.length > 0;
  }

  /** Settles it by a run that stops at once, without document and lease. A process that claims it meanwhile does the same. */
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

/** The next look tries again. */
function ignore(): void {}
