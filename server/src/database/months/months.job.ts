import pg from 'pg';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { Pool } from '../pool.ts';
import { dividedTables, isDue, isShort } from './month-parts.ts';

const EVERY_MS = 3_600_000;
/** Milliseconds until the next look where something is left to do: a table was locked, or another process is at it. */
const AGAIN_MS = 60_000;

/** Does one step, in a transaction of its own; null where nothing is left to do. */
const STEP = 'select divide_requests() as step';

/**
 * Makes the partitions of the months to come for pages, layouts and attempts, and divides the tables of a release that had no
 * partitions. The database does each step as the owner of the tables, which the service need not be. Where a table cannot be
 * locked within half a second, the step is tried again later.
 */
export class MonthParts implements AsyncDisposable {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #periodic: Periodic;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor({ url, pool, log }: { readonly url: string; readonly pool: Pool; readonly log: Log }) {
    this.#url = url;
    this.#pool = pool;
    this.#log = log;
    let isLeft = false;
    const run = async (stop: AbortSignal) => {
      isLeft = true; // of a look that fails nothing is known
      isLeft = await this.#divide(stop);
    };
    this.#periodic = new Periodic(run, {
      everyMs: () => (isLeft ? AGAIN_MS : EVERY_MS),
      onError: (error) => log.warn({ err: error }, 'the months of requests were not made yet'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  /** Answers whether something is left to do. */
  async #divide(stop: AbortSignal): Promise<boolean> {
    let isLeft: boolean;
    try {
      if ((await dividedTables(this.#pool)).some(isDue)) {
        await divideRequests(this.#url, {
          stop,
          onStep: (step) => this.#log.info({ step }, 'requests are divided by month'),
        });
      }
    } finally {
      isLeft = await this.#look();
    }
    return isLeft;
  }

  /** Logs which months are missing, at most once an hour: nothing is lost, but an operator has to mend it. */
  async #look(): Promise<boolean> {
    const tables = await dividedTables(this.#pool);
    const short = performance.now() - this.#toldAt < EVERY_MS ? [] : tables.filter(isShort);
    for (const { name, ahead, outside } of short) {
      this.#log.warn(
        { table: name, ahead, outside },
        'months of requests are missing: their rows stand with those of no month',
      );
      this.#toldAt = performance.now();
    }
    return tables.some(isDue);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}

/**
 * Does steps until none is left, on a connection of its own: a step that reads a large undivided table takes long, and need not be
 * waited for at a stop, since its result is stored all the same.
 */
export async function divideRequests(
  url: string,
  { stop, onStep = () => undefined }: { stop?: AbortSignal; onStep?: (step: string) => void } = {},
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'ocr-router months',
    options: '-c statement_timeout=0',
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
  });
  client.on('error', () => undefined); // the statement that was under way reports it
  const leave = () => void client.end().catch(() => undefined);
  stop?.addEventListener('abort', leave, { once: true });
  try {
    await client.connect();
    while (!stop?.aborted) {
      const step = await stepOf(client);
      if (step === null) return;
      onStep(step);
    }
  } catch (error) {
    if (!stop?.aborted) throw error;
  } finally {
    stop?.removeEventListener('abort', leave);
    await client.end().catch(() => undefined); // what it had to tell was told
  }
}

async function stepOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ step: string | null }>(STEP);
  return rows[0]?.step ?? null;
}
