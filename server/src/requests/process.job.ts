import { OutageError, throughOutage } from '../database/outage.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import type { News } from '../dispatch/news.ts';
import type { DocumentFetcher } from '../documents/fetch.ts';
import type { DocumentStore } from '../documents/store.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { Engine } from '../engines/engine.ts';
import { LeaseLostError, ShutdownError, TimeLimitError } from '../engines/stop-reasons.ts';
import { AppError, asAppError } from '../errors.ts';
import { faultPoint } from '../fault.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Effective } from './effective.ts';
import { chargeLimit, comparableFor, settledFromRetry, wantsRetry } from './fallback.ts';
import type { JobPages } from './job-pages.ts';
import { jobIdFor } from './large-job.ts';
import type { Leases } from './leases.ts';
import { newsOf } from './news-of.ts';
import type { OcrRequest } from './ocr-request.ts';
import { openDocument } from './open-document.ts';
import { type Phases, timed } from './phases.ts';
import type { OpenDocument, PageJournal, Readers } from './read-pages.ts';
import { readRequest } from './read-request.ts';
import { settledFromError, settledFromRun } from './settled-from.ts';
import type { Settled, SettlementDesk } from './settlement.ts';
import type { Waiting } from './waiting.ts';

/** A request under this process's lease, with what acceptance may have handed over. */
export interface Assignment {
  readonly request: OcrRequest;
  readonly document: OpenDocument | null;
  /** The document as it is stored, where the claim brought it along. */
  readonly bytes?: Buffer | null;
  /** False while `document` is in this process's memory only. */
  readonly isStored: boolean;
}

export interface ProcessingDeps extends Readers {
  readonly catalogue: Catalogue;
  readonly fetcher: DocumentFetcher;
  readonly store: DocumentStore;
  readonly settlement: SettlementDesk;
  readonly leases: Leases;
  readonly jobPages: JobPages;
  readonly waiting: Waiting;
  readonly dispatch: Dispatch;
  readonly news: News;
  /** Callers may wait in other processes. */
  readonly sharesResults: boolean;
  readonly isUsable: (engine: Engine) => boolean;
  readonly syncLimitMs: number;
  /** A document that was handed over in memory is stored when its reading takes longer. */
  readonly storeAfterMs: number;
  readonly log: Log;
}

/** Runs a request to its end: document, engine, conclusion, settlement, and the word to whoever waits. */
export class Processing {
  readonly #deps: ProcessingDeps;

  constructor(deps: ProcessingDeps) {
    this.#deps = deps;
  }

  /**
   * Never throws: whatever happens is the request's end, or is left to the next holder of the lease. `stop` ends it.
   * `onRead` is told when no engine works on it any more.
   */
  async run(assignment: Assignment, stop: AbortController, onRead: () => void): Promise<void> {
    const { request } = assignment;
    const { leases, dispatch, news, log } = this.#deps;
    news.tell(() => newsOf(request));
    const timer = this.#startClock(request, stop);
    const keeping = setTimeout(() => void this.#keep(assignment), this.#deps.storeAfterMs);
    try {
      const phases: Phases = { documentMs: null, renderMs: 0 };
      const settled = await this.#end(assignment, phases, stop.signal);
      onRead();
      await this.#settle(assignment, settled, phases);
    } catch (error) {
      if (error instanceof LeaseLostError) return;
      if (error instanceof ShutdownError) {
        await this.#keep(assignment);
        await leases.handBack(request);
        news.tell(() => ({ ...newsOf(request), status: 'queued', cursor: new Date().toISOString() }));
        return dispatch.announce({ engineId: request.requestedEngine, id: `${request.id}:${request.fence}` });
      }
      log.error({ err: error, requestId: request.id }, 'a request was left for its next lease');
    } finally {
      clearTimeout(timer);
      clearTimeout(keeping);
    }
  }

  /** From here on the crash of this process does not lose the document. */
  async #keep({ request, document, isStored }: Assignment): Promise<void> {
    if (isStored || !document || request.effective.url !== null) return;
    try {
      await this.#deps.store.keep(request.id, document.bytes);
    } catch (error) {
      this.#deps.log.warn({ err: error, requestId: request.id }, 'the document could not be stored');
    }
  }

  /** Only a synchronous request has a limit in all. */
  #startClock(request: OcrRequest, stop: AbortController): NodeJS.Timeout | undefined {
    if (request.mode !== 'sync') return undefined;
    const left = request.createdAt.getTime() + this.#deps.syncLimitMs - Date.now();
    return setTimeout(() => stop.abort(new TimeLimitError('the time of the request is over')), Math.max(0, left));
  }

  async #end(assignment: Assignment, phases: Phases, signal: AbortSignal): Promise<Settled> {
    const { request } = assignment;
    const { catalogue, documents, engines, isUsable } = this.#deps;
    try {
      const engine = catalogue.find(request.requestedEngine);
      if (!engine)
        throw new AppError('engine_unavailable', `Engine "${request.requestedEngine}" is no longer configured.`);
      const open = () =>
        timed(
          () => this.#open(assignment, engine, signal),
          (ms) => {
            phases.documentMs = ms;
          },
        );
      const document = assignment.document ?? (await open());
      const journal = await this.#journal(request, { document, engine, signal });
      const { effective, accountId: party } = request;
      const read = (reader: Engine, wanted: Effective) =>
        readRequest(
          { documents, engines, catalogue },
          {
            document,
            effective: wanted,
            engine: reader,
            newAttemptId: () => newId('att_'),
            party,
            patient: request.mode === 'async' && effective.fallback === 'off',
            // Only pages of the requested engine are worth coming back to.
            journal: reader === engine ? journal : null,
            phases,
            signal,
          },
        );
      const first = await read(engine, effective);
      const pages = first.applied.pageCount ?? 1;
      const alternative = comparableFor(engine, { catalogue, effective, document, pages, isUsable });
      if (!wantsRetry(effective, first, signal)) return settledFromRun(request, first, alternative);
      const limit = chargeLimit(engine, first);
      return await settledFromRetry({ request, engine, first, alternative, limit, read });
    } catch (error) {
      return this.#endByError(request, error);
    }
  }

  /** A large job's pages; null for every other request. Whether one at a URL is large is known only now. */
  async #journal(
    request: OcrRequest,
    opened: { document: OpenDocument; engine: Engine; signal: AbortSignal },
  ): Promise<PageJournal | null> {
    const { documents, jobPages } = this.#deps;
    if (request.jobId === null && request.effective.url !== null) {
      request.jobId = await jobIdFor(documents, request, opened);
      const { jobId } = request;
      if (jobId !== null) await this.#through(() => jobPages.name(request, jobId, opened.document.inspection.pages));
    }
    if (request.jobId === null) return null;
    const { finished, record } = await this.#through(() => jobPages.open(request));
    return { finished, record: (page) => this.#through(() => record(page)) };
  }

  #endByError(request: OcrRequest, error: unknown): Settled {
    const isLeft = [LeaseLostError, ShutdownError, OutageError].some((kind) => error instanceof kind);
    if (isLeft) throw error; // the next holder of the lease ends it
    if (error instanceof TimeLimitError) return timedOutEarly(request);
    const known = asAppError(error);
    if (known.code === 'internal_error')
      this.#deps.log.error({ err: known.cause, requestId: request.id }, 'processing failed');
    return settledFromError(request, known);
  }

  async #open({ request, bytes: known }: Assignment, engine: Engine, signal: AbortSignal): Promise<OpenDocument> {
    const { documents, fetcher, store } = this.#deps;
    const { effective } = request;
    const stored = async () => known ?? this.#through(() => store.load(request.id));
    const bytes = effective.url === null ? await stored() : await fetcher.fetch(effective.url, signal);
    if (!bytes)
      throw new AppError('internal_error', 'The document was lost in a crash. Nothing was charged; send it again.');
    return openDocument(documents, bytes, { effective, engine, signal });
  }

  /** A database that restarts must not cost a request its end, nor a reading that was paid for. */
  #through<T>(work: () => Promise<T>): Promise<T> {
    return throughOutage(work, (error, pauseMs) =>
      this.#deps.log.warn({ err: error, pauseMs }, 'the database is waited for'),
    );
  }

  async #settle({ request, document }: Assignment, settled: Settled, phases: Phases): Promise<void> {
    const { settlement, waiting, dispatch, news, log } = this.#deps;
    // Whoever sent it may wait in another process; a document that was handed over in memory was sent to this one.
    const elsewhere = this.#deps.sharesResults || document === null;
    const passText = elsewhere && request.mode === 'sync' && settled.status === 'succeeded';
    faultPoint('before-settle');
    const answer = await this.#through(() =>
      settlement.settle(request.id, request.fence, settled, { passText, phases }),
    );
    if (answer === 'lost') return; // whoever waits asks the database every second
    faultPoint('settled');
    finish(request, settled, answer.textRetained);
    waiting.resolve(request);
    dispatch.ended(request.id);
    news.tell(() => newsOf(request));
    log.info(
      {
        requestId: request.id,
        engine: settled.engine,
        status: settled.status,
        outcome: settled.outcome,
        pages: settled.pages,
        cost: String(settled.charge),
        ms: settled.providerLatencyMs,
      },
      'request settled',
    );
  }
}

/** Brings the object that callers wait for to what the statement has just written. */
function finish(request: OcrRequest, settled: Settled, textRetained: boolean): void {
  const { charge, warnings, pageRows, attempts: _attempts, chargeKind: _kind, webhookUrl: _url, ...same } = settled;
  Object.assign(request, same, { cost: charge, notes: [...warnings], textRetained, finishedAt: new Date() });
  request.text = settled.status === 'succeeded' ? settled.text : null;
}

function timedOutEarly(request: OcrRequest): Settled {
  const error = new AppError(
    'engine_unavailable',
    'The time of the request was over before its document had been read.',
  );
  return { ...settledFromError(request, error), status: 'failed', outcome: 'timeout', errorCode: null };
}
