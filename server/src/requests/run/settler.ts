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
import { isRead } from '../model/states.ts';
import type { OpenDocument } from '../read/open-document.ts';
import type { SettlementStore } from '../store/settle/settle.ts';
import type { Settlement } from '../store/settle/settlement.ts';
import { newPhases, type Phases } from '../times/phases.ts';
import { afterLostRuns, finishRequest, hasPages } from './finish-request.ts';
import { settlementFromError } from './settlement-from.ts';
import type { Waiters } from './waiters.ts';

export interface SettlerDeps {
  readonly settlements: SettlementStore;
  readonly waiting: Waiters;
  readonly dispatch: Dispatch;
  readonly changes: RequestChanges;
  /** Callers may wait in other processes. */
  readonly sharesResults: boolean;
  readonly log: Log;
}

/** A request whose run has ended. `document` is what acceptance handed over; null where the run had to load or fetch it. */
export interface EndedRun {
  readonly request: OcrRequest;
  readonly document: OpenDocument | null;
}

/** Settles requests in the database, then answers their waiting callers and sends their events. */
export class Settler {
  readonly #deps: SettlerDeps;
  readonly #patience: Patience;

  /** `patience`: how long an end waits for a database that is away. */
  constructor(deps: SettlerDeps, patience: Patience) {
    this.#deps = deps;
    this.#patience = patience;
  }

  /** The settlement with a charge of at most the caller's `max_cost_usd`; the rest is noted in `beyondLimit`. */
  capped(request: OcrRequest, settlement: Settlement): Settlement {
    const charge = cappedCharge(settlement.charge, maxCostOf(request.effective));
    if (charge === settlement.charge) return settlement;
    const beyondLimit = settlement.charge - charge;
    const beyondUsd = toUsd(beyondLimit);
    this.#deps.log.warn({ requestId: request.id, beyondUsd }, 'a request cost more than its caller allows');
    return { ...settlement, charge, beyondLimit };
  }

  /** Throws `OutageError` when the database stays away; a lease that was lost is no error. */
  async settle(run: EndedRun, settlement: Settlement, phases: Phases): Promise<void> {
    const attributes = spanAttributes(run.request, settlement);
    await inSpan('settle', { attributes, isLeaf: true }, () => this.#settle(run, settlement, phases)).catch(
      (error: unknown) => {
        if (error instanceof OutageError) throw error;
        return this.#settleUnstorable(run, error);
      },
    );
  }

  /** A result that the database rejects would be rejected again: reading the document once more would only cost money. */
  async #settleUnstorable(run: EndedRun, error: unknown): Promise<void> {
    const { request } = run;
    this.#deps.log.error({ err: error, requestId: request.id }, 'a result could not be stored');
    const failure = new AppError('internal_error', 'The result could not be stored. Nothing was charged.');
    await this.#settle(run, settlementFromError(request, failure), newPhases());
  }

  async #settle({ request, document }: EndedRun, settlement: Settlement, phases: Phases): Promise<void> {
    const { settlements, waiting, dispatch, changes, log } = this.#deps;
    // A document that acceptance handed over in memory means that the caller waits in this process.
    const callerIsElsewhere = this.#deps.sharesResults || (document === null && !waiting.has(request.id));
    const passText = callerIsElsewhere && request.mode === 'sync' && isRead(settlement.status);
    faultPoint('before-settle');
    const patienceMs = this.#patience.limitMs;
    const numbered = afterLostRuns(request, settlement);
    const passPages = callerIsElsewhere && request.mode === 'sync' && hasPages(request, settlement);
    const options = { passText, passPages, phases, patienceMs };
    const answer = await throughOutage(() => settlements.settle(request, numbered, options), this.#patience);
    if (answer === 'lost') return; // those who wait ask the database every second
    faultPoint('settled');
    finishRequest(request, settlement, answer);
    waiting.resolve(request);
    dispatch.ended(request.id);
    changes.publish(() => changeOf(request));
    log.info(
      {
        requestId: request.id,
        engine: settlement.engine,
        status: settlement.status,
        outcome: settlement.outcome,
        pages: settlement.pages,
        costUsd: toUsd(settlement.charge),
        ms: settlement.providerLatencyMs,
      },
      'request settled',
    );
  }
}

/** The attributes of the trace's `settle` span. */
function spanAttributes({ id }: OcrRequest, { engine, outcome, pages }: Settlement) {
  return { 'ocr.request_id': id, 'ocr.engine': engine, 'ocr.outcome': outcome, 'ocr.pages': pages };
}
