import { Periodic } from '../../platform/concurrency/periodic.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { AlertHistory } from './alert-history.ts';
import { type LookDeps, lookAround } from './alert-look.ts';
import type { DeliveryQueue } from './channels/delivery-queue.ts';
import { evaluate } from './evaluate.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import type { RuleStore } from './rule-store.ts';

const FORGET_EVERY_MS = 3_600_000;

export interface AlertsJobDeps extends LookDeps {
  readonly rules: RuleStore;
  readonly evaluations: EvaluationStore;
  readonly history: AlertHistory;
  readonly deliveries: DeliveryQueue;
  readonly everyMs: number;
  readonly log: Log;
}

/** Checks the rules again and again: of all processes the one that gets the turn, for all of them. */
export class AlertsJob implements AsyncDisposable {
  readonly #deps: AlertsJobDeps;
  readonly #periodic: Periodic;
  #hasBegun = false;
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: AlertsJobDeps) {
    this.#deps = deps;
    this.#periodic = new Periodic(() => this.check(), {
      everyMs: deps.everyMs,
      firstAfterMs: Math.min(1000, deps.everyMs),
      onError: (error) => deps.log.warn({ err: error }, 'the alert rules were not checked'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  /** Makes one check, where it is this process's turn. */
  async check(): Promise<void> {
    const { rules, evaluations, deliveries, everyMs, log } = this.#deps;
    if (!this.#hasBegun) await rules.begin();
    this.#hasBegun = true;
    const fence = await evaluations.claim(everyMs);
    if (fence === null) return;
    const now = new Date();
    const look = await lookAround(this.#deps, now);
    const known = { rules: await rules.list(), ...(await rules.settings()), ...(await evaluations.known()) };
    const found = evaluate(known, look, { now, newId: () => newId('alt_') });
    const tell = (client: Parameters<DeliveryQueue['add']>[0]) => deliveries.add(client, found.told);
    const isWritten = await evaluations.write(found, { fence, now, tell });
    if (!isWritten) return log.warn('a check of the alert rules took too long: another process has made the next one');
    for (const { id, state, title } of found.told) log.info({ alertId: id, state, title }, 'alert');
    if (found.told.length > 0) deliveries.wake();
    await this.#forget();
  }

  /** Deletes alerts and deliveries that are too old or too many, once an hour. */
  async #forget(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#forgotAtMs < FORGET_EVERY_MS) return;
    this.#forgotAtMs = nowMs;
    await this.#deps.history.forget();
    await this.#deps.deliveries.forget();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
