import { worstPage } from '../../billing/charge.ts';
import { OutageError, type Patience, throughOutage } from '../../database/outage.ts';
import type { DocumentFetcher } from '../../documents/fetch.ts';
import type { DocumentStore } from '../../documents/store.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { CancelledError, LeaseLostError, ShutdownError, TimeLimitError } from '../../engines/model/stop-reasons.ts';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { AppError, asAppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import { RunError } from '../judge/run-error.ts';
import { unsoldAttempts } from '../judge/unsold-attempts.ts';
import { atAcceptedPrices } from '../model/accepted-prices.ts';
import type { Attempt } from '../model/attempt.ts';
import { type Effective, maxCostOf } from '../model/effective.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import type { PositionTurns } from '../places/position-turns.ts';
import type { RunPlace } from '../places/run-place.ts';
import { CostCap } from '../read/cost-cap.ts';
import { documentHash } from '../read/document-hash.ts';
import { jobIdFor } from '../read/large-job.ts';
import { notReached } from '../read/not-reached.ts';
import type { OpenDocument } from '../read/open-document.ts';
import { openDocument } from '../read/open-document.ts';
import type { Readers } from '../read/page-job.ts';
import type { PageJournal } from '../read/page-result.ts';
import type { JobPages } from '../store/large-request-pages.ts';
import type { Leases } from '../store/leases.ts';
import type { Settled } from '../store/settle.ts';
import { newPhases, type Phases, timed } from '../times/phases.ts';
import { chargeLimit, comparableFor, settledFromRetry, wantsRetry } from './fallback.ts';
import { keepDocument } from './keep-document.ts';
import { readRequest } from './read-request.ts';
import { settledFromCancel, settledFromError, settledFromRun, timedOutEarly } from './settled-from.ts';
import { Settlements, type SettlementsDeps } from './settlements.ts';

/** A request under this process's lease, with what acceptance may have handed over. */
export interface Assignment {
  readonly request: OcrRequest;
  readonly document: OpenDocument | null;
  /** The document as it is stored, where the claim brought it along. */
  readonly bytes?: Buffer | null;
  /** False while `document` is in this process's memory only. */
  readonly isStored: boolean;
}

export interface RequestRunnerDeps extends Readers, SettlementsDeps {
  readonly positions: PositionTurns;
  /** Hears whose requests run here. */
  readonly parties: Pick<ActiveParties, 'note'>;
  readonly catalogue: Catalogue;
  readonly fetcher: DocumentFetcher;
  readonly store: DocumentStore;
  readonly leases: Leases;
  readonly jobPages: JobPages;
  readonly isUsable: (engine: Engine) => boolean;
  readonly syncLimitMs: number;
  /** A document that was handed over in memory is stored when its reading takes longer. */
  readonly storeAfterMs: number;
  /** How long a reading that is finished waits for a database that is away. */
  readonly outageLimitMs: number;
}

/** What became of a run: the request has ended or belongs to another process, or it is still this process's and not ended. */
export type RunEnd = 'over' | 'left';

/** Runs a request to its end: document, engine, conclusion, settlement, and the notification of those who wait. */
export class RequestRunner {
  readonly #deps: RequestRunnerDeps;
  readonly #patience: Patience;
  readonly #settlements: Settlements;

  constructor(deps: RequestRunnerDeps) {
    this.#deps = deps;
    this.#patience = {
      limitMs: deps.outageLimitMs,
      onPause: (error, pauseMs) => deps.log.warn({ err: error, pauseMs }, 'the database is waited for'),
    };
    this.#settlements = new Settlements(deps, this.#patience);
  }

  /**
   * Never throws: whatever happens is the request's end, or is left to the next holder of the lease. `stop` ends it.
   * Its place is freed when no engine works on it any more.
   */
  async run(assignment: Assignment, stop: AbortController, place: RunPlace): Promise<RunEnd> {
    const { request } = assignment;
    const { changes, parties, log } = this.#deps;
    parties.note(request.accountId);
    changes.tell(() => changeOf(request));
    const timer = this.#startClock(request, stop);
    if (request.cancelRequestedAt !== null) stop.abort(new CancelledError('it was cancelled before this run'));
    const keeping = setTimeout(() => void this.#keep(assignment), this.#deps.storeAfterMs);
    try {
      const phases = newPhases();
      const settled = this.#settlements.capped(
        request,
        await this.#end(assignment, { phases, place, signal: stop.signal }),
      );
      clearTimeout(keeping); // no engine reads it any more: what is left to do is to end the request, which deletes it
      place.free();
      await this.#settlements.settle(assignment, settled, phases);
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
    try {
      await this.#keep(assignment);
      await leases.handBack(request);
    } catch (error) {
      log.warn({ err: error, requestId: request.id }, 'a request was not handed back; its lease runs out');
      return 'over';
    }
    changes.tell(() => ({ ...changeOf(request), status: 'queued', cursor: new Date().toISOString() }));
    dispatch.announce({ engineId: request.requestedEngine, id: `${request.id}:${request.fence}` });
    return 'over';
  }

  /** From here on the crash of this process does not lose the document. */
  async #keep({ request, document, isStored }: Assignment): Promise<void> {
    if (isStored || !document || request.effective.url !== null) return;
    await keepDocument(this.#deps, request.id, document.bytes);
  }

  /** Only a synchronous request has a limit in all. */
  #startClock(request: OcrRequest, stop: AbortController): NodeJS.Timeout | undefined {
    if (request.mode !== 'sync') return undefined;
    const left = request.createdAt.getTime() + this.#deps.syncLimitMs - Date.now();
    return setTimeout(() => stop.abort(new TimeLimitError('the time of the request is over')), Math.max(0, left));
  }

  async #end(
    assignment: Assignment,
    { phases, place, signal }: { phases: Phases; place: RunPlace; signal: AbortSignal },
  ): Promise<Settled> {
    const { request } = assignment;
    const { catalogue, documents, engines, positions, isUsable } = this.#deps;
    try {
      const isCancelled = signal.reason instanceof CancelledError;
      if (isCancelled && request.jobId === null) throw signal.reason;
      if (isOverdue(request, this.#deps.syncLimitMs)) throw notReached();
      const priced = atAcceptedPrices(request.prices);
      const find = (id: string) => {
        const found = catalogue.find(id);
        return found && priced(found);
      };
      const engine = find(request.requestedEngine);
      if (!engine)
        throw new AppError('engine_unavailable', `Engine "${request.requestedEngine}" is no longer configured.`);
      const open = () =>
        timed(
          () => inSpan('document', { isLeaf: true }, () => this.#open(assignment, engine, { place, signal })),
          (ms) => {
            phases.documentMs = ms;
          },
        );
      const document = assignment.document ?? (isCancelled ? unopened(request) : await open());
      const journal = await this.#journal(request, { document, engine, phases, signal });
      const { effective, accountId: party } = request;
      const most = maxCostOf(effective);
      const cap = most === null ? null : new CostCap(most);
      const isPayable = (other: Engine) => isUsable(other) && (cap === null || worstPage(other) !== null);
      const read = (reader: Engine, wanted: Effective) =>
        readRequest(
          { documents, engines, positions: besidePlace(positions, place), catalogue: { find } },
          {
            document,
            effective: wanted,
            engine: reader,
            newAttemptId: () => newId('att_'),
            party,
            cap,
            patient: request.mode === 'async' && effective.fallback === 'off',
            // Only pages of the requested engine are worth coming back to.
            journal: reader === engine ? journal : null,
            phases,
            signal,
          },
        );
      const first = await read(engine, effective);
      const pages = first.applied.pageCount ?? 1;
      const alternative = comparableFor(engine, { catalogue, effective, document, pages, isUsable: isPayable, priced });
      if (!wantsRetry(effective, first, signal)) return settledFromRun(request, first, alternative);
      const limit = chargeLimit(engine, first);
      const onFailure = (error: AppError) => this.#report(request, error);
      return await settledFromRetry({ request, engine, first, alternative, limit, read, isLeft, onFailure });
    } catch (error) {
      return this.#endByError(request, error);
    }
  }

  /** A large job's pages; null for every other request. Whether one at a URL is large is known only now. */
  async #journal(
    request: OcrRequest,
    opened: { document: OpenDocument; engine: Engine; phases: Phases; signal: AbortSignal },
  ): Promise<PageJournal | null> {
    const { documents, jobPages } = this.#deps;
    if (request.jobId === null && request.effective.url !== null) {
      const client = { party: request.accountId, signal: opened.signal };
      request.jobId = await jobIdFor(documents, request, { ...opened, client });
      const { jobId } = request;
      if (jobId !== null) {
        const { bytes, inspection } = opened.document;
        const job = { jobId, pagesTotal: inspection.pages, documentHash: await documentHash(bytes) };
        await this.#through(() => jobPages.name(request, job));
      }
    }
    if (request.jobId === null) return null;
    const { finished, record } = await this.#through(() => jobPages.open(request, opened.phases));
    return { finished, record: (page) => this.#through(() => record(page)) };
  }

  /** The pages of a job that are stored belong to the document that it began with; a URL may answer with another one. */
  async #requireSameDocument({ documentHash: known }: OcrRequest, bytes: Buffer): Promise<void> {
    if (known === null || known === (await documentHash(bytes))) return;
    throw new AppError(
      'provider_error',
      'The document at the URL changed while the job was under way: its pages would have been those of two documents.',
    );
  }

  async #endByError(request: OcrRequest, thrown: unknown): Promise<Settled> {
    const { reason, attempts } = RunError.from(thrown);
    if (isLeft(reason)) throw reason;
    if (reason instanceof TimeLimitError) return timedOutEarly(request);
    if (reason instanceof CancelledError)
      return settledFromCancel(request, 'processing', RunError.from(thrown).attempts);
    const known = asAppError(reason);
    if (known.code === 'internal_error') this.#report(request, known);
    const made = thrown instanceof RunError ? attempts : await this.#attemptsOfEarlierStarts(request);
    return settledFromError(request, known, made);
  }

  /** Of a job that fails before its pages are looked at again: what the stored ones cost. */
  async #attemptsOfEarlierStarts(request: OcrRequest): Promise<Attempt[]> {
    if (request.jobId === null) return [];
    const { finished } = await this.#through(() => this.#deps.jobPages.open(request));
    return unsoldAttempts([...finished.values()], () => newId('att_'));
  }

  #report(request: OcrRequest, { cause }: AppError): void {
    this.#deps.log.error({ err: cause, requestId: request.id }, 'processing failed');
  }

  async #open(
    { request, bytes: known }: Assignment,
    engine: Engine,
    { place, signal }: { place: RunPlace; signal: AbortSignal },
  ): Promise<OpenDocument> {
    const { documents, fetcher, store } = this.#deps;
    const { effective } = request;
    const stored = async () => known ?? this.#through(() => store.load(request.id));
    const fetched = (url: string) => place.beside(fetcher.fetch(url, signal), signal);
    const bytes = await (effective.url === null ? stored() : fetched(effective.url));
    if (!bytes)
      throw new AppError('internal_error', 'The document was lost in a crash. Nothing was charged; send it again.');
    await this.#requireSameDocument(request, bytes);
    // By it the document is known again that a searchable PDF is made of; one that was sent is known by the fingerprint.
    if (effective.url !== null && effective.include) request.documentHash = await documentHash(bytes);
    return openDocument(documents, bytes, { effective, engine, client: { party: request.accountId, signal } });
  }

  /** A database that restarts must not cost a request its end, nor a reading that was paid for. */
  #through<T>(work: () => Promise<T>): Promise<T> {
    return throughOutage(work, this.#patience);
  }
}

/** Waits for the account's time as for a slow document: others may have the place meanwhile. */
function besidePlace(positions: PositionTurns, place: RunPlace): Readers['positions'] {
  return {
    beforePlacing: (accountId, characters, signal) => {
      const waiting = positions.beforePlacing(accountId, characters, signal);
      return waiting && place.beside(waiting, signal).catch(() => undefined); // what was read is kept, also without a place
    },
  };
}

/** Whether a run was stopped so that the next holder of the lease ends the request. */
function isLeft(reason: unknown): boolean {
  return [LeaseLostError, ShutdownError, OutageError].some((kind) => reason instanceof kind);
}

/** The document of a job that was cancelled before this run: its finished pages are sold, and no other is opened. */
function unopened({ pagesTotal }: OcrRequest): OpenDocument {
  return { bytes: Buffer.alloc(0), inspection: { format: 'pdf', pages: pagesTotal ?? 0, warnings: [] } };
}

/** Whether the time of a synchronous request was over before its work began: it stayed in the queue. */
function isOverdue({ mode, createdAt, startedAt }: OcrRequest, syncLimitMs: number): boolean {
  return mode === 'sync' && (startedAt ?? new Date()).getTime() >= createdAt.getTime() + syncLimitMs;
}
