import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import { DIVIDED_TABLES } from '../database/months/month-parts.ts';
import type { CallEnding } from '../engines/engine-runner.ts';
import { ERROR_CODES, isErrorCode } from '../platform/errors.ts';
import { toUsd } from '../platform/money.ts';
import type { OcrRequest } from '../requests/model/ocr-request.ts';
import type { Settlement } from '../requests/store/settle/settlement.ts';
import type { DeliveryOutcome } from '../webhooks/delivery-store.ts';

/** Upper bounds in seconds, up to the longest that a synchronous request may take. */
const REQUEST_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120, 180, 215];
const CALL_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120, 180];

const STATUSES: readonly Settlement['status'][] = ['succeeded', 'partial', 'failed', 'rejected'];
const MODES: readonly OcrRequest['mode'][] = ['sync', 'async'];
const CHARGE_KINDS: readonly Settlement['chargeKind'][] = ['charge', 'provider_cost'];
const OUTCOMES: readonly DeliveryOutcome[] = ['delivered', 'failed', 'skipped', 'retried'];
/** The label of every engine that is not configured (any more), so that the number of series stays bounded. */
export const OTHER_ENGINE = 'other';

/** Counts of this process since its start. Nothing here waits or asks the database. */
export class Counters {
  readonly #known: ReadonlySet<string>;
  readonly #requests;
  readonly #seconds;
  readonly #pages;
  readonly #charged;
  readonly #beyondLimit;
  readonly #overruns;
  readonly #calls;
  readonly #callSeconds;
  readonly #deliveries;
  readonly #leasesLost;
  readonly #purged;
  readonly #archived;
  readonly #refusals;

  constructor(registry: Registry, engineIds: readonly string[]) {
    const registers = [registry];
    this.#known = new Set(engineIds);
    this.#requests = new Counter({
      name: 'ocr_requests_total',
      help: 'Requests that have ended here, by the engine that decided it.',
      labelNames: ['engine', 'status', 'mode'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'ocr_request_seconds',
      help: 'Time from the acceptance of a request to its end.',
      labelNames: ['engine', 'mode'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.#pages = new Counter({
      name: 'ocr_pages_total',
      help: 'Pages of requests that have ended here, by what became of them.',
      labelNames: ['engine', 'state'],
      registers,
    });
    this.#charged = new Counter({
      name: 'ocr_charged_usd_total',
      help: 'Credits charged when requests ended here: prices, and costs of failed attempts.',
      labelNames: ['kind'],
      registers,
    });
    this.#beyondLimit = new Counter({
      name: 'ocr_cap_exceeded_usd_total',
      help: 'What requests that ended here cost beyond the max_cost_usd of their callers, in USD.',
      registers,
    });
    this.#overruns = new Counter({
      name: 'ocr_page_tokens_exceeded_total',
      help: 'Calls of requests that ended here that took more tokens for a page than the entry of their engine says.',
      labelNames: ['engine'],
      registers,
    });
    this.#calls = new Counter({
      name: 'ocr_engine_calls_total',
      help: 'Calls of engines made here, probes included, by how they ended.',
      labelNames: ['engine', 'ending'],
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'ocr_engine_call_seconds',
      help: 'Time of one call of an engine.',
      labelNames: ['engine'],
      buckets: CALL_BUCKETS,
      registers,
    });
    this.#deliveries = new Counter({
      name: 'ocr_webhook_deliveries_total',
      help: 'Webhook deliveries made here: delivered, failed for good, skipped, or to be tried once more.',
      labelNames: ['outcome'],
      registers,
    });
    this.#leasesLost = new Counter({
      name: 'ocr_leases_lost_total',
      help: 'Requests that this process took from another one whose lease had run out.',
      registers,
    });
    this.#purged = new Counter({
      name: 'ocr_purged_total',
      help: 'What this process deleted because its time was over: `texts` of requests.',
      labelNames: ['what'],
      registers,
    });
    this.#archived = new Counter({
      name: 'ocr_archived_rows_total',
      help: 'Rows of months that are over that this process moved to files, by their table.',
      labelNames: ['table'],
      registers,
    });
    this.#refusals = new Counter({
      name: 'ocr_refusals_total',
      help: 'Calls (REST) and fields (GraphQL) that were answered with an error, by its code.',
      labelNames: ['code'],
      registers,
    });
    this.#begin();
  }

  /** Begins all series at 0, so that their first increase can be seen. */
  #begin(): void {
    for (const code of ERROR_CODES) this.#refusals.inc({ code }, 0);
    for (const outcome of OUTCOMES) this.#deliveries.inc({ outcome }, 0);
    this.#purged.inc({ what: 'texts' }, 0);
    for (const table of DIVIDED_TABLES) this.#archived.inc({ table }, 0);
    for (const kind of CHARGE_KINDS) this.#charged.inc({ kind }, 0);
    for (const engine of this.#known) {
      this.#overruns.inc({ engine }, 0);
      for (const mode of MODES) {
        for (const status of STATUSES) this.#requests.inc({ engine, status, mode }, 0);
      }
    }
  }

  requestEnded({ mode, createdAt }: Pick<OcrRequest, 'mode' | 'createdAt'>, settlement: Settlement): void {
    const engine = this.#engine(settlement.engine);
    this.#requests.inc({ engine, status: settlement.status, mode });
    this.#seconds.observe({ engine, mode }, Math.max(0, Date.now() - createdAt.getTime()) / 1000);
    for (const page of settlement.pageRows) this.#pages.inc({ engine: this.#engine(page.engine), state: page.state });
    if (settlement.charge > 0n) this.#charged.inc({ kind: settlement.chargeKind }, toUsd(settlement.charge));
    for (const { engine: id, overrun } of settlement.attempts) {
      if (overrun) this.#overruns.inc({ engine: this.#engine(id) }, overrun.calls);
    }
    if (settlement.beyondLimit) this.#beyondLimit.inc(toUsd(settlement.beyondLimit));
  }

  engineCalled(engineId: string, ending: CallEnding, ms: number): void {
    const engine = this.#engine(engineId);
    this.#calls.inc({ engine, ending });
    this.#callSeconds.observe({ engine }, ms / 1000);
  }

  deliveryClosed(outcome: DeliveryOutcome): void {
    this.#deliveries.inc({ outcome });
  }

  leasesLost(requests: number): void {
    this.#leasesLost.inc(requests);
  }

  /** Counts requests whose texts were deleted. */
  textsPurged(requests: number): void {
    this.#purged.inc({ what: 'texts' }, requests);
  }

  rowsArchived(table: string, rows: number): void {
    this.#archived.inc({ table }, rows);
  }

  /** Counts a refusal. GraphQL's own codes, for documents and values that it refuses, count as `invalid_request`. */
  refused(code: string): void {
    this.#refusals.inc({ code: isErrorCode(code) ? code : 'invalid_request' });
  }

  #engine(id: string): string {
    return this.#known.has(id) ? id : OTHER_ENGINE;
  }
}
