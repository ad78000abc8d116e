import { cappedCharge } from '../../billing/charge.ts';
import { OutageError, type Patience, throughOutage } from '../../database/outage.ts';
import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { Dispatch } from '../../platform/messaging/dispatch.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import { toUsd } from '../../platform/money.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import { maxCostOf } from '../model/effective.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import type { OpenDocument } from '../read/open-document.ts';
import type { Settled, SettlementStore } from '../store/settle.ts';
import { newPhases, type Phases } from '../times/phases.ts';
import { settledFromError } from './settled-from.ts';
import { afterLostRuns, finish, hasPages } from './settled-request.ts';
import type { Waiters } from './waiters.ts';

export interface SettlementsDeps {
  readonly settlement: SettlementStore;
  readonly waiting: Waiters;
  readonly dispatch: Dispatch;
  readonly changes: RequestChanges;
  /** Callers may wait in other processes. */
  readonly sharesResults: boolean;
  readonly log: Log;
}

/** A request whose run has ended, with the document that acceptance handed over; null where it was claimed. */
export interface EndedRun {
  readonly request: OcrRequest;
  readonly document: OpenDocument | null;
}

/** Ends requests in the database, and tells those who wait for them. */
export class Settlements {
  readonly #deps: SettlementsDeps;
  readonly #patience: Patience;

  /** `patience`: how long an end waits for a database that is away. */
  constructor(deps: SettlementsDeps, patience: Patience) {
    this.#deps = deps;
    this.#patience = patience;
  }

  /** What is charged for it: what it cost beyond its caller's limit is the operator's. */
  capped(request: OcrRequest, settled: Settled): Settled {
    const charge = cappedCharge(settled.charge, maxCostOf(request.effective));
    if (charge === settled.charge) return settled;
    const beyondLimit = settled.charge - charge;
    const beyondUsd = toUsd(beyondLimit);
    this.#deps.log.warn({ requestId: request.id, beyondUsd }, 'a request cost more than its caller allows');
    return { ...settled, charge, beyondLimit };
  }

  /** Throws `OutageError` when the database stays away; a lease that was lost is no error. */
  async settle(run: EndedRun, settled: Settled, phases: Phases): Promise<void> {
    const attributes = endOf(run.request, settled);
    await inSpan('settle', { attributes, isLeaf: true }, () => this.#settle(run, settled, phases)).catch(
      (error: unknown) => {
        if (error instanceof OutageError) throw error;
        return this.#settleUnstorable(run, error);
      },
    );
  }

  /** A result that the database refuses for what it says is refused each time: reading it again would only cost. */
  async #settleUnstorable(run: EndedRun, error: unknown): Promise<void> {
    const { request } = run;
    this.#deps.log.error({ err: error, requestId: request.id }, 'a result could not be stored');
    const failure = new AppError('internal_error', 'The result could not be stored. Nothing was charged.');
    await this.#settle(run, settledFromError(request, failure), newPhases());
  }

  async #settle({ request, document }: EndedRun, settled: Settled, phases: Phases): Promise<void> {
    const { settlement, waiting, dispatch, changes, log } = this.#deps;
    // Its caller may wait in another process; a document that was handed over in memory was sent to this one.
    const elsewhere = this.#deps.sharesResults || (document === null && !waiting.has(request.id));
    const isRead = settled.status === 'succeeded' || settled.status === 'partial';
    const passText = elsewhere && request.mode === 'sync' && isRead;
    faultPoint('before-settle');
    const patienceMs = this.#patience.limitMs;
    const numbered = afterLostRuns(request, settled);
    const passPages = elsewhere && request.mode === 'sync' && hasPages(request, settled);
    const options = { passText, passPages, phases, patienceMs };
    const answer = await throughOutage(() => settlement.settle(request, numbered, options), this.#patience);
    if (answer === 'lost') return; // those who wait ask the database every second
    faultPoint('settled');
    finish(request, settled, answer);
    waiting.resolve(request);
    dispatch.ended(request.id);
    changes.tell(() => changeOf(request));
    log.info(
      {
        requestId: request.id,
        engine: settled.engine,
        status: settled.status,
        outcome: settled.outcome,
        pages: settled.pages,
        costUsd: toUsd(settled.charge),
        ms: settled.providerLatencyMs,
      },
      'request settled',
    );
  }
}

/** What a trace says of the end. */
function endOf({ id }: OcrRequest, { engine, outcome, pages }: Settled) {
  return { 'ocr.request_id': id, 'ocr.engine': engine, 'ocr.outcome': outcome, 'ocr.pages': pages };
}
