import { Periodic } from '../platform/concurrency/periodic.ts';
import type { Log } from '../platform/logging/log.ts';
import { openPool, type Pool } from './pool.ts';

const LOOK_MS = 2000;
/** Milliseconds for which a good look is believed. Where no other one follows, the replica is not trusted. */
const TRUST_MS = 3 * LOOK_MS;
/** The time that a worker's heartbeat adds to the clock of the main database (`requests/run/heartbeat.ts`). */
const LEASE = '10 seconds';

/**
 * The age in ms of the newest heartbeat that has come over; null where there is none. Heartbeats are written all the time, so
 * this is right where a replica's own figures are not: they show no lag when its connection to the main database has broken.
 */
const LAG = {
  name: 'replica-lag',
  text: `select extract(epoch from now() - (max(expires_at) - interval '${LEASE}'))::float8 * 1000 as "lagMs" from lease_holder`,
};

/** A replica that reports are read from while it is not too far behind. */
export class Replica implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #maxLagMs: number;
  readonly #log: Log;
  readonly #periodic: Periodic;
  #trustedUntil = Number.NEGATIVE_INFINITY;
  #wasTrusted = true;

  constructor(url: string, { max, maxLagMs, log }: { max: number; maxLagMs: number; log: Log }) {
    this.#pool = openPool(url, { max, log, kind: 'reports' });
    this.#maxLagMs = maxLagMs;
    this.#log = log;
    this.#periodic = new Periodic(() => this.look(), {
      everyMs: LOOK_MS,
      onError: (error) => this.distrust(error),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  /** The replica's pool; null while the main database has to be asked. */
  get current(): Pool | null {
    return performance.now() < this.#trustedUntil ? this.#pool : null;
  }

  /** Measures how far the replica is behind, and trusts it or not. */
  async look(): Promise<void> {
    const { rows } = await this.#pool.query<{ lagMs: number | null }>(LAG);
    const lagMs = rows[0]?.lagMs ?? null;
    if (lagMs === null) return this.distrust(new Error('no worker of the main database is known there'));
    if (lagMs > this.#maxLagMs) return this.distrust(new Error(`it is ${Math.round(lagMs)} ms behind`));
    this.#trustedUntil = performance.now() + TRUST_MS;
    if (!this.#wasTrusted) this.#log.info({ lagMs }, 'reports are read from the replica again');
    this.#wasTrusted = true;
  }

  /** Has the main database asked until a look finds the replica well. */
  distrust(error: unknown): void {
    this.#trustedUntil = Number.NEGATIVE_INFINITY;
    if (this.#wasTrusted)
      this.#log.warn({ err: error }, 'reports are read from the main database: not from the replica');
    this.#wasTrusted = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#periodic[Symbol.asyncDispose]();
    await this.#pool.end();
  }
}
