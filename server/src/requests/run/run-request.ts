import { worstPage } from '../../billing/charge.ts';
import { OutageError, type Patience, throughOutage } from '../../database/outage.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { CancelledError, LeaseLostError, ShutdownError, TimeLimitError } from '../../engines/model/stop-reasons.ts';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { AppError, asAppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { RunError } from '../judge/run-error.ts';
import { atAcceptedPrices } from '../model/accepted-prices.ts';
import { type Effective, maxCostOf } from '../model/effective.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import type { PositionTurns } from '../places/position-turns.ts';
import type { RunPlace } from '../places/run-place.ts';
import { CostCap } from '../read/cost-cap.ts';
import { notReached } from '../read/not-reached.ts';
import type { OpenDocument } from '../read/open-document.ts';
import type { Readers } from '../read/page-task.ts';
import type { Leases } from '../store/leases.ts';
import type { Settlement } from '../store/settle/settlement.ts';
import { newPhases } from '../times/phases.ts';
import { chargeLimit, comparableFor, settlementFromRetry, wantsRetry } from './fallback.ts';
import { readRequest } from './read-request.ts';
import { type Assignment, type RunContext, RunDocuments, type RunDocumentsDeps } from './run-documents.ts';
import {
  settlementFromCancel,
  settlementFromError,
  settlementFromRun,
  settlementFromTimeout,
} from './settlement-from.ts';
import { Settler, type SettlerDeps } from './settler.ts';
import { HAND_BACK_LIMIT_MS } from './stray-leases.ts';
import { timeLeft } from './time-left.ts';

export interface RequestRunnerDeps extends Readers, RunDocumentsDeps, SettlerDeps {
  readonly positions: PositionTurns;
  /** Notes the account of each request that runs here. */
  readonly parties: Pick<ActiveParties, 'note'>;
  readonly catalogue: Catalogue;
  readonly leases: Leases;
  readonly isUsable: (engine: Engine) => boolean;
  readonly syncLimitMs: number;
  /** After this time at work a document that is only in memory is stored. */
  readonly storeAfterMs: number;
  /** How long a finished run waits for a database that is away. */
  readonly outageLimitMs: number;
}

/**
 * `over`: the request is settled, or belongs to another process. `left`: this process holds it still, and could not settle
 * it.
 */
export type RunEnd = 'over' | 'left';

/** Runs a request to its end: document, engine, conclusion, settlement, and the notification of those who wait. */
export class RequestRunner {
  readonly #deps: RequestRunnerDeps;
  readonly #documents: RunDocuments;
  readonly #settler: Settler;

  constructor(deps: RequestRunnerDeps) {
    this.#deps = deps;
    const patience: Patience = {
      limitMs: deps.outageLimitMs,
      onPause: (error, pauseMs) => deps.log.warn({ err: error, pauseMs }, 'the database is waited for'),
    };
    this.#documents = new RunDocuments(deps, patience);
    this.#settler = new Settler(deps, patience);
  }

  /**
   * Never throws: the request is settled, or left to the next holder of its lease. `stop` ends the run. The place is given
   * back as soon as no engine works on the request any more.
   */
  async run(assignment: Assignment, stop: AbortController, place: RunPlace): Promise<RunEnd> {
    const { request } = assignment;
    const { changes, parties, log } = this.#deps;
    parties.note(request.accountId);
    changes.publish(() => changeOf(request));
    const timer = this.#startClock(request, stop);
    if (request.cancelRequestedAt !== null) stop.abort(new CancelledError('it was cancelled before this run'));
    const keeping = setTimeout(() => void this.#documents.keep(assignment), this.#deps.storeAfterMs);
    try {
      const phases = newPhases();
      const settlement = this.#settler.capped(
        request,
        await this.#end(assignment, { phases, place, signal: stop.signal }),
      );
      clearTimeout(keeping); // no engine reads it any more: what is left to do is to end the request, which deletes it
      place.free();
      await this.#settler.settle(assignment, settlement, phases);
      return 'over';
    } catch (error) {
      if (error instanceof LeaseLostError) return 'over';
      if (error instanceof ShutdownError) return this.#handBack(assignment);
      log.error({ err: error, requestId: request.id }, 'a request was left for its next lease');
      return 'left';
    } finally {
      clearTimeout(timer);
      clearTimeout(keeping);
    }
  }

  async #handBack(assignment: Assignment): Promise<RunEnd> {
    const { request } = assignment;
    const { leases, dispatch, changes, log } = this.#deps;
    const giveBack = async () => {
      await this.#documents.store(assignment);
      await leases.handBack(request);
    };
    try {
      await throughOutage(giveBack, { limitMs: HAND_BACK_LIMIT_MS });
    } catch (error) {
      log.warn({ err: error, requestId: request.id }, 'a request was not handed back; its lease runs out');
      return 'over';
    }
    changes.publish(() => ({ ...changeOf(request), status: 'queued', cursor: new Date().toISOString() }));
    dispatch.queued({ engineId: request.requestedEngine, id: `${request.id}:${request.fence}` });
    return 'over';
  }

  /** Only a synchronous request has a limit in all. */
  #startClock(request: OcrRequest, stop: AbortController): NodeJS.Timeout | undefined {
    if (request.mode !== 'sync') return undefined;
    const left = Math.max(0, timeLeft(request, this.#deps.syncLimitMs));
    return setTimeout(() => stop.abort(new TimeLimitError('the time of the request is over')), left);
  }

  async #end(assignment: Assignment, context: RunContext): Promise<Settlement> {
    const { request } = assignment;
    const { reason } = context.signal;
    try {
      if (reason instanceof CancelledError && request.jobId === null) throw reason;
      // It stayed in the queue until its time was over.
      if (request.mode === 'sync' && timeLeft(request, this.#deps.syncLimitMs) <= 0) throw notReached();
      return await this.#read(assignment, context);
    } catch (error) {
      return this.#endByError(request, error);
    }
  }

  /** By the engine that was asked for and, where the caller wants that and it is of use, by a comparable one. */
  async #read(assignment: Assignment, context: RunContext): Promise<Settlement> {
    const { request } = assignment;
    const { effective } = request;
    const { phases, signal } = context;
    const priced = atAcceptedPrices(request.prices);
    const find = (id: string) => {
      const found = this.#deps.catalogue.find(id);
      return found && priced(found);
    };
    const engine = find(request.requestedEngine);
    if (!engine)
      throw new AppError('engine_unavailable', `Engine "${request.requestedEngine}" is no longer configured.`);
    const document = await this.#documentOf(assignment, engine, context);
    const journal = await this.#documents.journal(request, { document, engine, phases, signal });
    const most = maxCostOf(effective);
    const cap = most === null ? null : new CostCap(most);
    const common = {
      document,
      newAttemptId: () => newId('att_'),
      requestId: request.id,
      party: request.accountId,
      cap,
      phases,
      signal,
    };
    const patient = request.mode === 'async' && effective.fallback === 'off';
    const readers = { ...this.#readersAt(context.place), catalogue: { find } };
    const read = (reader: Engine, wanted: Effective) =>
      readRequest(readers, {
        ...common,
        effective: wanted,
        engine: reader,
        patient,
        journal: reader === engine ? journal : null, // only pages of the requested engine are worth coming back to
      });
    const first = await read(engine, effective);
    const pages = first.applied.pageCount ?? 1;
    const isUsable = (other: Engine) => this.#deps.isUsable(other) && (cap === null || worstPage(other) !== null);
    const { catalogue } = this.#deps;
    const alternative = comparableFor(engine, { catalogue, effective, document, pages, isUsable, priced });
    if (!wantsRetry(effective, first, signal)) return settlementFromRun(request, first, alternative);
    const limit = chargeLimit(engine, first);
    const onFailure = (error: AppError) => this.#report(request, error);
    return await settlementFromRetry({ request, engine, first, alternative, limit, read, isLeft, onFailure });
  }

  #documentOf(assignment: Assignment, engine: Engine, context: RunContext): OpenDocument | Promise<OpenDocument> {
    if (assignment.document) return assignment.document;
    const isCancelled = context.signal.reason instanceof CancelledError;
    return isCancelled ? unopened(assignment.request) : this.#documents.open(assignment, engine, context);
  }

  #readersAt(place: RunPlace): Readers {
    const { documents, engines, positions } = this.#deps;
    return { documents, engines, positions: givingBackPlace(positions, place) };
  }

  async #endByError(request: OcrRequest, thrown: unknown): Promise<Settlement> {
    const { reason, attempts } = RunError.from(thrown);
    if (isLeft(reason)) throw reason;
    if (reason instanceof TimeLimitError) return settlementFromTimeout(request);
    if (reason instanceof CancelledError) return settlementFromCancel(request, 'processing', attempts);
    const known = asAppError(reason);
    if (known.code === 'internal_error') this.#report(request, known);
    const made = thrown instanceof RunError ? attempts : await this.#documents.attemptsOfEarlierStarts(request);
    return settlementFromError(request, known, made);
  }

  #report(request: OcrRequest, { cause }: AppError): void {
    this.#deps.log.error({ err: cause, requestId: request.id }, 'processing failed');
  }
}

/** While the account waits for its turn, the run gives its place back, as it does for a slow document. */
function givingBackPlace(positions: PositionTurns, place: RunPlace): Readers['positions'] {
  return {
    beforeLocating: (accountId, characters, signal) => {
      const waiting = positions.beforeLocating(accountId, characters, signal);
      return waiting && place.beside(waiting, signal).catch(() => undefined); // what was read is kept, also without a place
    },
  };
}

/** Whether the run was stopped for a reason that leaves the request to the next holder of its lease. */
function isLeft(reason: unknown): boolean {
  return [LeaseLostError, ShutdownError, OutageError].some((kind) => reason instanceof kind);
}

/**
 * Stands for the document of a large job that was cancelled before this run: finished pages are charged, no other one is
 * read.
 */
function unopened({ pagesTotal }: OcrRequest): OpenDocument {
  return { bytes: Buffer.alloc(0), inspection: { format: 'pdf', pages: pagesTotal ?? 0, warnings: [] } };
}
