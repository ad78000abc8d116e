import { createHash } from 'node:crypto';
import { type Pool, query } from '../../database/pool.ts';
import { addressBucket } from '../../platform/address-bucket.ts';
import { AppError } from '../../platform/errors.ts';

const WINDOW_SECONDS = 15 * 60;
const CLEAN_EVERY_MS = 60_000;

/**
 * Failed logins in one window. Of an address (a /64 of IPv6) and of its network (a /48) for all e-mails; of an e-mail
 * from one address.
 *
 * Nobody can lock an owner out from elsewhere, since only what came from the owner's own address is ever refused: once
 * an e-mail, or the whole service, has seen many failures, each address has few attempts at an e-mail instead of ten,
 * but it has them. Guessing stays bounded all the same: who guesses one password needs an address for every two
 * attempts in a quarter of an hour, a network of IPv6 is no more than thirty addresses, and passwords have ten
 * characters. Who shares the address of an attacker shares its bound, as everything that counts addresses has it.
 */
const MOST = { network: 300, address: 100, pair: 10, pairUnderAttack: 2 } as const;
/** Failures that are an attack: at one e-mail from everywhere, and in all. */
const ATTACK = { email: 100, all: 2000 } as const;

/**
 * New accounts in one window: of an address, of a network, and in all. Above `busy` an address has one, so that some
 * addresses cannot take everybody's; `all` is what the service takes at most.
 */
const SIGN_UPS = { address: 10, network: 50, busy: 200, addressWhenBusy: 1, all: 5000 } as const;

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
  text: `delete from login_failure where started_at < clock_timestamp() - interval '${WINDOW_SECONDS} seconds'`,
};

interface Counted {
  readonly hits: number;
  /** Seconds until its window ends. */
  readonly rest: number;
}

/** Slows down who guesses passwords, in every process alike. */
export class LoginLimiter {
  readonly #pool: Pool;
  #cleanedAt = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Counts an attempt before its password is looked at, so that attempts at the same time count, too. Throws 429 above
   * the bounds; otherwise answers how to take the attempt back once it has succeeded.
   */
  async begin(email: string, address: string): Promise<{ succeeded(): Promise<void> }> {
    const from = placesOf(address);
    const who = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url'); // for whoever reads the table
    const place = [`network:${from.network}`, `address:${from.address}`] as const;
    const attempt = { all: 'all', email: `email:${who}`, pair: `pair:${who}:${from.address}` };
    await this.#clean();
    // Above these nothing of the attempt's own is written: no address and no network fills a table, or alarms others.
    await this.#admit('failed logins', place, MOST);
    const { all, email: ofEmail, pair } = await this.#count(attempt);
    const isAttacked = ofEmail.hits > ATTACK.email || all.hits > ATTACK.all;
    if (pair.hits > (isAttacked ? MOST.pairUnderAttack : MOST.pair)) throw tooMany('failed logins', pair);
    return { succeeded: () => this.#takeBack([...place, ...Object.values(attempt)]) };
  }

  /** Counts a new account before it is made. Throws 429 above the bounds. */
  async countSignUp(address: string): Promise<void> {
    const from = placesOf(address);
    await this.#clean();
    const place = [`sign-up-network:${from.network}`, `sign-up:${from.address}`] as const;
    const ofAddress = await this.#admit('new accounts', place, SIGN_UPS);
    const { all } = await this.#count({ all: 'sign-up' });
    const isBusy = all.hits > SIGN_UPS.busy && ofAddress.hits > SIGN_UPS.addressWhenBusy;
    if (!isBusy && all.hits <= SIGN_UPS.all) return;
    await this.#takeBack(['sign-up']); // only accounts that are made count against the others
    throw tooMany('new accounts', isBusy ? ofAddress : all);
  }

  /** Counts the network first: the addresses of one that is over its bound are written no longer. Answers for the address. */
  async #admit(
    what: string,
    [networkId, addressId]: readonly [network: string, address: string],
    most: { readonly network: number; readonly address: number },
  ): Promise<Counted> {
    const { network } = await this.#count({ network: networkId });
    if (network.hits > most.network) throw tooMany(what, network);
    const { address } = await this.#count({ address: addressId });
    if (address.hits > most.address) throw tooMany(what, address);
    return address;
  }

  async #takeBack(buckets: readonly string[]): Promise<void> {
    await query(this.#pool, FORGIVE, [[...buckets].sort()]);
  }

  async #count<Name extends string>(buckets: Readonly<Record<Name, string>>): Promise<Record<Name, Counted>> {
    const ids = Object.values<string>(buckets).sort(); // one order of locking, so that two processes cannot deadlock
    const rows = await query<Counted & { bucket: string }>(this.#pool, COUNT, [ids]);
    const counted = new Map(rows.map((row) => [row.bucket, row]));
    const entries = Object.entries<string>(buckets).map(([name, id]) => [
      name,
      counted.get(id) ?? { hits: 1, rest: 1 },
    ]);
    return Object.fromEntries(entries) as Record<Name, Counted>; // the names that were asked for
  }

  /** What is over is deleted by time, whether anybody's login succeeds or not. */
  async #clean(): Promise<void> {
    if (Date.now() - this.#cleanedAt < CLEAN_EVERY_MS) return;
    this.#cleanedAt = Date.now();
    await query(this.#pool, CLEAN, []);
  }
}

function placesOf(address: string): { address: string; network: string } {
  return { address: addressBucket(address), network: addressBucket(address, 'wide') };
}

function tooMany(what: string, ...counted: readonly Counted[]): AppError {
  const retryAfterSeconds = Math.max(1, ...counted.map(({ rest }) => rest));
  return new AppError('rate_limited', `Too many ${what}. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}
