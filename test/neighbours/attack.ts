import { Caller } from '../house/caller.ts';

/** An account that attacks, with what it takes to act as it. */
export interface Attacker {
  readonly accountId: string;
  readonly apiKey: string;
  readonly caller: Caller;
}

/** What an attack may use: the public addresses, accounts, and, for faults of the operator's side, the database. */
export interface Target {
  readonly url: string;
  readonly dashboardUrl: string;
  readonly databaseUrl: string;
  /** An account on the plan that anybody gets, without a cent. */
  readonly penniless: Attacker;
  /** An account with credit and no rate limit: the worst that a paying customer can do. */
  readonly funded: Attacker;
  /** An account with credit whose owner is logged in: `cookie` is that of the session. */
  readonly owner: Attacker & { readonly cookie: string };
  /** The cookie of a session of the penniless account, as `name=value`. */
  readonly cookie: string;
  /** How much of what they need attacks make beforehand: all of it is 1. */
  readonly share: number;
}

/** A target as it goes to another process: its callers are made anew there. */
export type PlainTarget = Omit<Target, 'penniless' | 'funded' | 'owner'> & {
  readonly [Who in 'penniless' | 'funded' | 'owner']: Omit<Target[Who], 'caller'>;
};

export function targetOf(plain: PlainTarget): Target {
  const withCaller = <Who extends { apiKey: string }>(who: Who) => ({
    ...who,
    caller: new Caller(plain.url, who.apiKey),
  });
  const { penniless, funded, owner } = plain;
  return { ...plain, penniless: withCaller(penniless), funded: withCaller(funded), owner: withCaller(owner) };
}

/** One harmful thing that an account, a stranger or a fault does, over and over, until `signal` aborts. */
export interface Attack {
  readonly name: string;
  /** The finding of the reviews that showed it. */
  readonly finding: string;
  /** Makes what it needs, before its time begins. */
  prepare?(target: Target): Promise<unknown>;
  /** Rejects only when the attack itself could not be made; refusals are what it is there to meet. */
  run(target: Target, signal: AbortSignal): Promise<void>;
}
