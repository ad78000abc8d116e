import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from '@prometheus-io/client';
import { type Pool, query } from '../database/pool.ts';
import type { Log } from '../platform/logging/log.ts';
import { OTHER_ENGINE } from './counters.ts';

/** Least milliseconds between two readings of the figures, however many scrapes there are. */
const READ_EVERY_MS = 15_000;
/** Longest wait of a scrape for the database. */
const SCRAPE_WAIT_MS = 1000;
/** Figures that are older than this are left out. */
const OUTDATED_MS = 90_000;

const FIGURES = {
  name: 'metrics-figures',
  text: `
  select
    (select coalesce(json_object_agg(engine, queued), '{}') from (
      select engine, count(*) as queued from queued_request group by 1) waiting) as queued,
    (select coalesce(greatest(0, extract(epoch from now()) - min(seq) / 1e6), 0)::float8
      from queued_request) as "queueOldestSeconds",
    (select count(*)::int from attempt where billing = 'pending') as "pendingCosts",
    (select coalesce(sum(owed), 0)::float8 / 1e9 from wallet) as "owedUsd",
    (select coalesce(greatest(0, extract(epoch from now() - min(created_at))), 0)::float8
      from webhook_delivery where status = 'pending') as "webhookOldestSeconds",
    (select coalesce(sum(octet_length(bytes)), 0)::float8 from stored_document) as "documentsBytes",
    (select cardinality(failed) from doctor_result) as "doctorFailedChecks",
    (select greatest(0, extract(epoch from now() - at))::float8 from doctor_result) as "doctorAgeSeconds",
    months.ahead as "monthsAhead", months.outside as "rowsWithoutMonth"
  from (select min(ahead) filter (where divided) as ahead, max(outside)::int as outside from request_parts()) months`,
};

interface Figures {
  readonly queued: Readonly<Record<string, number>>;
  readonly queueOldestSeconds: number;
  readonly pendingCosts: number;
  readonly owedUsd: number;
  readonly webhookOldestSeconds: number;
  readonly documentsBytes: number;
  /** Figures of the latest `doctor`; null before the first one. */
  readonly doctorFailedChecks: number | null;
  readonly doctorAgeSeconds: number | null;
  /** Months to come for which every divided table has a partition; null while no table is divided. */
  readonly monthsAhead: number | null;
  readonly rowsWithoutMonth: number;
}

/** Gauges of what only the database knows, for Prometheus: the same in every process over one database. */
export class DatabaseGauges {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #engineIds: readonly string[];
  readonly #depth;
  readonly #age;
  readonly #simple: readonly { readonly gauge: Gauge; readonly of: (figures: Figures) => number | null }[];
  #figures: Figures | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(registry: Registry, deps: { pool: Pool; engineIds: readonly string[]; log: Log }) {
    this.#pool = deps.pool;
    this.#log = deps.log;
    this.#engineIds = deps.engineIds;
    const registers = [registry];
    this.#depth = new Gauge({
      name: 'ocr_queue_depth',
      help: 'Requests that wait, in all processes.',
      labelNames: ['engine'],
      registers,
    });
    // Without a label a gauge begins at 0: until the database has answered there must be no value.
    const simple = (name: string, help: string, of: (figures: Figures) => number | null) => {
      const gauge = new Gauge({ name, help, registers });
      gauge.remove();
      return { gauge, of };
    };
    this.#simple = [
      simple(
        'ocr_queue_oldest_seconds',
        'Age of the oldest request that waits; 0 when none does.',
        (f) => f.queueOldestSeconds,
      ),
      simple('ocr_pending_costs', 'Attempts whose provider has not reported their cost.', (f) => f.pendingCosts),
      simple('ocr_owed_usd', 'What all accounts owe together.', (f) => f.owedUsd),
      simple(
        'ocr_webhook_oldest_seconds',
        'Age of the oldest webhook delivery that is not over; 0 when there is none.',
        (f) => f.webhookOldestSeconds,
      ),
      simple('ocr_documents_bytes', 'Stored documents of requests that have not ended.', (f) => f.documentsBytes),
      simple(
        'ocr_doctor_failed_checks',
        'Checks of the latest doctor that did not hold; no value before the first one.',
        (f) => f.doctorFailedChecks,
      ),
      simple(
        'ocr_doctor_age_seconds',
        'How long ago the latest doctor ended; no value before the first one.',
        (f) => f.doctorAgeSeconds,
      ),
      simple(
        'ocr_months_ahead',
        'Months to come that pages, layouts and attempts have a part for; the table that has the fewest.',
        (f) => f.monthsAhead,
      ),
      simple(
        'ocr_rows_without_month',
        'Rows of pages, layouts or attempts whose month is missing, up to 10001; the table that has the most.',
        (f) => f.rowsWithoutMonth,
      ),
    ];
    this.#age = new Gauge({
      name: 'ocr_database_gauges_age_seconds',
      help: 'How old the figures of the database are; no value before the first ones.',
      registers,
    });
    this.#age.remove();
  }

  /** Brings the gauges up to date, as far as that takes no long wait. Never throws. */
  async refresh(): Promise<void> {
    const now = performance.now();
    if (!this.#reading && now - this.#triedAt >= READ_EVERY_MS) {
      this.#triedAt = now;
      this.#reading = this.#read().finally(() => {
        this.#reading = null;
      });
    }
    if (this.#reading) await Promise.race([this.#reading, sleep(SCRAPE_WAIT_MS, undefined, { ref: false })]);
    this.#show(performance.now() - this.#readAt);
  }

  async #read(): Promise<void> {
    const begun = performance.now();
    try {
      const [figures] = await query<Figures>(this.#pool, FIGURES, []);
      this.#figures = figures ?? null;
      this.#readAt = begun;
    } catch (error) {
      this.#log.warn({ err: error }, 'the figures for /metrics could not be read');
    }
  }

  #show(ageMs: number): void {
    this.#depth.reset();
    const figures = ageMs <= OUTDATED_MS ? this.#figures : null;
    if (this.#figures) this.#age.set(ageMs / 1000);
    for (const { gauge, of } of this.#simple) {
      const value = figures && of(figures);
      if (value === null) gauge.remove();
      else gauge.set(value);
    }
    if (!figures) return;
    for (const engine of this.#engineIds) this.#depth.set({ engine }, 0);
    for (const [engine, queued] of Object.entries(figures.queued)) {
      if (this.#engineIds.includes(engine)) this.#depth.set({ engine }, queued);
      else this.#depth.inc({ engine: OTHER_ENGINE }, queued);
    }
  }
}
