import type { ServerResponse } from 'node:http';
import { Batcher } from '../../database/batches/batcher.ts';
import { overtaking } from '../../database/batches/overtaking.ts';
import { type Pool, query } from '../../database/pool.ts';
import { ExpiringMap } from '../../platform/concurrency/expiring-map.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { AppError } from '../../platform/errors.ts';
import { TIERS } from '../model/account.ts';
import type { Caller } from './caller.ts';
import { refusalDelayMs } from './refusal-delay.ts';

const WINDOW_SECONDS = 60;

/** Where a key, or the logins of an account, stand in their window of one minute. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time (seconds) at which the window ends. */
  readonly resetAt: number;
  readonly allowed: boolean;
  /** What is allowed, for who is refused. */
  readonly rule: string;
  /** How long the refusal is held back. */
  readonly answerAfterMs?: number;
}

/** Also a window that begins in the future: the clock of the database was set back since. */
const IS_OVER = `w.started_at not between clock_timestamp() - interval '${WINDOW_SECONDS} seconds' and clock_timestamp()`;

/**
 * Counts in fixed windows that begin with a key's first request, exact across processes: one conditional statement
 * counts what waits, several requests of one key together. The table is unlogged: a crash of the database forgets
 * counts, which is the caller's gain of a minute, and costs no commit to disk.
 */
const COUNT = {
  name: 'rate-count',
  repeatable: true,
  text: `insert into rate_window as w (key_id, started_at, hits)
         select key_id, clock_timestamp(), hits from unnest($1::text[], $2::int[]) as t(key_id, hits)
         on conflict (key_id) do update set
           hits = case when ${IS_OVER} then excluded.hits else w.hits + excluded.hits end,
           started_at = case when ${IS_OVER} then excluded.started_at else w.started_at end
         returning key_id, hits, extract(epoch from started_at)::float8 as started,
           extract(epoch from clock_timestamp() - started_at)::float8 as age`,
};

interface Counted {
  readonly hits: number;
  /** Unix time at which the window began, and its age, in seconds: of the database's clock. */
  readonly started: number;
  readonly age: number;
}

/** A window in which nothing is allowed any more: the database need not be asked until it ends. */
interface Exhausted {
  readonly state: RateState;
  refusals: number;
}

export class RateLimiter {
  readonly #pool: Pool;
  readonly #counts: Batcher<string, Counted>;
  /** Windows in which nothing is allowed any more, by bucket: a caller that goes on above its limit costs no statement. */
  readonly #exhausted = new ExpiringMap<string, Exhausted>();
  #unlimitedSince = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#counts = new Batcher((keyIds) => this.#count(keyIds), {
      maxItems: 512,
      semaphore: new Semaphore(1, overtaking(1)),
      waits: pool.waits,
    });
  }

  /** Counts one call of the key, or of the account's logins, and says where it stands. */
  async hit(caller: Caller): Promise<RateState> {
    const limit = limitOf(caller);
    if (limit === TIERS.unlimited) return this.#unlimited();
    if (caller.via !== 'session')
      return this.#hit(caller.keyId, limit, `This key may make ${limit} requests a minute.`);
    // A page that looks at figures takes nothing from the playground, whose token has the account's login as its key.
    return this.#hit(`${caller.keyId}:dashboard`, limit, `The logins of an account may make ${limit} calls a minute.`);
  }

  /** Counts an act that has a limit of its own; throws 429, with the rule, above it. */
  async spend(bucket: string, limit: number, rule: string): Promise<void> {
    const state = await this.#hit(bucket, limit, rule);
    if (!state.allowed) throw rateLimited(state);
  }

  async #hit(bucket: string, limit: number, rule: string): Promise<RateState> {
    const exhausted = this.#known(bucket, limit);
    if (exhausted) return refusedAgain(exhausted);
    const askedMs = performance.now();
    const { hits, started, age } = await this.#counts.add(bucket);
    const state: RateState = {
      limit,
      remaining: Math.max(0, limit - hits),
      resetAt: Math.ceil(started + WINDOW_SECONDS),
      allowed: hits <= limit,
      rule,
    };
    if (state.allowed) return state;
    // Calls that were refused from memory meanwhile were not counted by the database.
    const refusals = Math.max(hits - limit - 1, this.#known(bucket, limit)?.refusals ?? 0);
    const made = { state, refusals };
    // Counted from before the question, so that the window ends here no later than in the database.
    this.#exhausted.set(bucket, made, askedMs + (WINDOW_SECONDS - age) * 1000);
    return refusedAgain(made);
  }

  #known(bucket: string, limit: number): Exhausted | null {
    const known = this.#exhausted.get(bucket);
    return known?.state.limit === limit ? known : null;
  }

  /** Never refused, so it need not be counted exactly: the headers still tell a window that moves on. */
  #unlimited(): RateState {
    const now = Math.floor(Date.now() / 1000);
    if (now - this.#unlimitedSince >= WINDOW_SECONDS) this.#unlimitedSince = now;
    const limit = TIERS.unlimited;
    const resetAt = this.#unlimitedSince + WINDOW_SECONDS;
    return { limit, remaining: limit - 1, resetAt, allowed: true, rule: '' };
  }

  async #count(keyIds: string[]): Promise<Promise<Counted>[]> {
    const totals = new Map<string, number>();
    for (const id of keyIds) totals.set(id, (totals.get(id) ?? 0) + 1);
    const ids = [...totals.keys()].sort(); // one order of locking, so that two processes cannot deadlock
    const rows = await query<Counted & { key_id: string }>(this.#pool, COUNT, [ids, ids.map((id) => totals.get(id))]);
    const after = new Map(rows.map((row) => [row.key_id, row]));
    // The hits of one key in this batch are numbered in the order in which they came.
    const seen = new Map<string, number>();
    return keyIds.map(async (id) => {
      const row = after.get(id);
      if (!row) throw new Error('the rate limiter lost a key');
      const nth = (seen.get(id) ?? 0) + 1;
      seen.set(id, nth);
      return { hits: row.hits - (totals.get(id) ?? 0) + nth, started: row.started, age: row.age };
    });
  }
}

function refusedAgain(exhausted: Exhausted): RateState {
  exhausted.refusals += 1;
  return { ...exhausted.state, answerAfterMs: refusalDelayMs(exhausted.refusals) };
}

/** `operator` keys have at least the tier `scale`, people at the dashboard `pro`: a page asks for several things at once. */
function limitOf(caller: Caller): number {
  const limit = TIERS[caller.tier];
  if (caller.via === 'session') return Math.max(limit, TIERS.pro);
  return caller.scopes.includes('operator') ? Math.max(limit, TIERS.scale) : limit;
}

/** Tells a caller where it stands, and refuses what is above its limit. */
export function tellRate(res: ServerResponse, state: RateState): void {
  res.setHeader('X-RateLimit-Limit', state.limit);
  res.setHeader('X-RateLimit-Remaining', state.remaining);
  res.setHeader('X-RateLimit-Reset', state.resetAt);
  if (!state.allowed) throw rateLimited(state);
}

/** The 429 of a key that has used up its window. */
export function rateLimited(state: RateState): AppError {
  // The window's end is the database's time: a clock that differs must not make more of it than a window.
  const left = state.resetAt - Math.floor(Date.now() / 1000);
  const retryAfterSeconds = Math.min(WINDOW_SECONDS, Math.max(1, left));
  const { rule, answerAfterMs = 0 } = state;
  return new AppError('rate_limited', `${rule} Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
    answerAfterMs,
  });
}
