import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseProxy } from '../../house/database-proxy.ts';
import type { SeededRandom } from '../../house/seeded-random.ts';
import type { Absence } from '../mortal.ts';
import type { OutsideDatabase } from '../outside-database.ts';
import type { SmallDisk } from '../small-disk.ts';
import type { Fault } from './fault.ts';

export const WAYS = ['stopped', 'killed', 'read-only', 'disk-full'] as const;
export type Way = (typeof WAYS)[number];

export interface AwayOptions {
  readonly database: OutsideDatabase;
  readonly proxy: DatabaseProxy;
  /** What the database stands on; null where none could be mounted: then the proxy answers for a full one. */
  readonly disk: SmallDisk | null;
  readonly random: SeededRandom;
  readonly ways: readonly Way[];
  /** The shortest and the longest absence. */
  readonly seconds: readonly [least: number, most: number];
}

const PAUSE_MS = 2000;
/** SQLSTATE of a disk that is full. */
const DISK_FULL = '53100';
/** Prepared statements that need room on the disk. */
const WRITES =
  /^(accept-|settle-|lease-(claim|expire|abandon|hand-back|lost|adopt)|webhook-(claim|keep|close|hand)|job-pages-(record|name))/;

/** The database is of no use for a while: stopped, killed, read-only since a failover, or without room on its disk. */
export class DatabaseAway implements Fault {
  readonly kind = 'database-away';
  readonly blows: string[] = [];
  readonly missed = [];
  readonly crashes: Absence[] = [];
  readonly outages: Absence[] = [];
  readonly stops = [];
  readonly #options: AwayOptions;
  #nth = 0;

  constructor(options: AwayOptions) {
    this.#options = options;
  }

  /** The ways take turns, so that a run of some length has met each of them. */
  async strike(): Promise<void> {
    const { ways, random, seconds } = this.#options;
    const [least, most] = seconds;
    await sleep(random.below(PAUSE_MS));
    const way = ways[this.#nth % ways.length] ?? 'stopped';
    this.#nth += 1;
    const awayMs = 1000 * least + random.below(1000 * (most - least) + 1);
    const from = Date.now();
    const comeBack = await this.#leave(way);
    await sleep(awayMs);
    await comeBack();
    const until = Date.now();
    this.blows.push(`${this.#nameOf(way)} ${((until - from) / 1000).toFixed(1)} s`);
    this.outages.push({ from, until });
    if (way === 'killed' || (way === 'disk-full' && this.#options.disk)) this.crashes.push({ from, until });
  }

  async recovered(): Promise<void> {
    await this.#options.database.start();
  }

  #nameOf(way: Way): string {
    if (way !== 'disk-full') return way;
    return this.#options.disk ? 'disk-full (a real disk)' : `disk-full (the proxy answers ${DISK_FULL} to writes)`;
  }

  /** Resolves when the database is away, with what brings it back. */
  async #leave(way: Way): Promise<() => Promise<void>> {
    const { database, proxy, disk } = this.#options;
    switch (way) {
      case 'stopped':
        await database.stop();
        return () => database.start();
      case 'killed':
        database.kill();
        return () => database.start();
      case 'read-only':
        await turn(database, 'on');
        return () => turn(database, 'off');
      case 'disk-full': {
        if (!disk) {
          const refusal = proxy.refuse(WRITES, DISK_FULL);
          return async () => refusal.release();
        }
        disk.fill();
        return async () => {
          disk.free();
          await database.start(); // its log could not be written: that is a crash
        };
      }
    }
  }
}

/** What callers see of a failover: their sessions end, and the server that they meet next takes no writes. */
async function turn(database: OutsideDatabase, readOnly: 'on' | 'off'): Promise<void> {
  await database.run(`alter system set default_transaction_read_only = ${readOnly}`);
  await database.run('select pg_reload_conf()');
  await database.run(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}
