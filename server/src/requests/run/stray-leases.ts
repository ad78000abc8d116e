import { throughOutage } from '../../database/outage.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { LeaseExpiry } from '../store/lease-expiry.ts';
import type { Leases } from '../store/leases.ts';
import type { HeldRequest } from './heartbeat-messages.ts';
import { UnknownLeases } from './unknown-leases.ts';

/**
 * How long a stopping process waits for a database that is away. What it cannot hand back, another process takes when the
 * lease runs out.
 */
export const HAND_BACK_LIMIT_MS = 5000;

export interface StrayLeasesDeps {
  readonly leases: Leases;
  readonly expiry: LeaseExpiry;
  readonly log: Log;
}

/** Gives back leases that this process holds without running their requests. */
export class StrayLeases {
  readonly #deps: StrayLeasesDeps;
  readonly #unknown = new UnknownLeases();

  constructor(deps: StrayLeasesDeps) {
    this.#deps = deps;
  }

  /** A claim or an acceptance begins; disposing of the result ends it. */
  begin(): Disposable {
    return this.#unknown.begin();
  }

  /** A run under this lease has ended without a settlement. */
  noteUnfinished(lease: HeldRequest): void {
    this.#unknown.noteUnfinished(lease);
  }

  /** Gives back the stray ones among these leases; they must be all that this process holds without a run. */
  giveBackAmong(notRun: readonly HeldRequest[]): void {
    for (const { lease, wasRun } of this.#unknown.among(notRun)) void this.#giveBack(lease, wasRun);
  }

  /**
   * Gives back every lease that the database has for this process. Only for a process in which nothing runs or begins any
   * more.
   */
  async giveBackAll(): Promise<void> {
    const { leases, log } = this.#deps;
    try {
      const held = await throughOutage(() => leases.held(), { limitMs: HAND_BACK_LIMIT_MS });
      await Promise.all(held.map((lease) => this.#giveBack(lease, this.#unknown.wasRun(lease))));
    } catch (error) {
      log.warn({ err: error }, 'what is held was not looked at; its lease runs out');
    }
  }

  async #giveBack(lease: HeldRequest, wasRun: boolean): Promise<void> {
    const { leases, expiry, log } = this.#deps;
    try {
      if (wasRun) await expiry.abandon(lease);
      else await leases.handBack(lease);
      log.warn({ requestId: lease.id, wasRun }, 'a request that this process held and did not run goes back');
    } catch (error) {
      log.warn({ err: error, requestId: lease.id }, 'a request could not be given back; the next look tries again');
    }
  }
}
