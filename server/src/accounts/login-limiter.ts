import { createHash } from 'node:crypto';
import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../errors.ts';

const WINDOW_SECONDS = 15 * 60;

/**
 * Failed logins in one window. Of one e-mail from one address few, so that a person is warned early; of the e-mail from
 * everywhere and of the address for everyone more, so that nobody is locked out by a single other.
 */
const MOST = { pair: 10, email: 100, address: 100 };
/** New accounts in one window: from one address, and in all. */
const MOST_SIGN_UPS = { address: 10, everywhere: 200 };

const COUNT = {
  name: 'login-count',
  text: `insert into login_failure as f (bucket, started_at, hits)
         select bucket, clock_timestamp(), 1 from unnest($1::text[]) as t(bucket)
         on conflict (bucket) do update set
           hits = case when f.started_at <= clock_timestamp() - interval '${WINDOW_SECONDS} seconds'
                       then 1 else f.hits + 1 end,
           started_at = case when f.started_at <= clock_timestamp() - interval '${WINDOW_SECONDS} seconds'
                             then excluded.started_at else f.started_at end
         returning bucket, hits,
           ceil(extract(epoch from started_at + interval '${WINDOW_SECONDS} seconds' - clock_timestamp()))::int as rest`,
};

const FORGIVE = {
  name: 'login-forgive',
  text: 'update login_failure set hits = greatest(0, hits - 1) where bucket = any($1::text[])',
};

const CLEAN = {
  name: 'login-clean',
  text: `delete from login_failure where started_at < clock_timestamp() - interval '${2 * WINDOW_SECONDS} seconds'`,
};

/** Slows down who guesses passwords, in every process alike. */
export class LoginLimiter {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Counts an attempt before its password is looked at, so that attempts at the same time count, too. Throws 429 above
   * the bounds; otherwise answers how to take the attempt back once it has succeeded.
   */
  async begin(email: string, address: string): Promise<{ succeeded(): Promise<void> }> {
    const limits = bucketsOf(email, address);
    const buckets = await this.#count(limits, 'failed logins');
    return {
      succeeded: async () => {
        await query(this.#pool, FORGIVE, [buckets]);
        await query(this.#pool, CLEAN, []);
      },
    };
  }

  /** Counts a new account before it is made. Throws 429 above the bounds. */
  async countSignUp(address: string): Promise<void> {
    const { address: ofAddress, everywhere } = MOST_SIGN_UPS;
    const limits = new Map([
      [`sign-up:${address}`, ofAddress],
      ['sign-up', everywhere],
    ]);
    await this.#count(limits, 'new accounts');
  }

  async #count(limits: ReadonlyMap<string, number>, what: string): Promise<string[]> {
    const buckets = [...limits.keys()].sort(); // one order of locking, so that two processes cannot deadlock
    const rows = await query<{ bucket: string; hits: number; rest: number }>(this.#pool, COUNT, [buckets]);
    const over = rows.filter(({ bucket, hits }) => hits > (limits.get(bucket) ?? 0));
    if (over.length > 0) throw tooMany(what, Math.max(1, ...over.map(({ rest }) => rest)));
    return buckets;
  }
}

/** The counters of an attempt with their bounds; e-mails are hashed, for whoever reads the table. */
function bucketsOf(email: string, address: string): Map<string, number> {
  const who = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url');
  return new Map([
    [`pair:${who}:${address}`, MOST.pair],
    [`email:${who}`, MOST.email],
    [`address:${address}`, MOST.address],
  ]);
}

function tooMany(what: string, retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', `Too many ${what}. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}
