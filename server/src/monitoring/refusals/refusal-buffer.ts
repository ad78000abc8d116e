import { createHash } from 'node:crypto';
import { cleanText } from '../../database/storable.ts';
import type { RefusedCall } from '../../platform/refused-call.ts';

/** Most kinds of refusals that are told apart between two writes. Calls of one kind are one number, however many they are. */
const MOST_KINDS = 2000;
/**
 * Most single calls that are kept between two writes, and most of one party. Where parties are many, the share of each is halved
 * until all have room: one that floods hides no other.
 */
const MOST_CALLS = 2000;
const MOST_OF_PARTY = 100;
/** Parties that callers without an account are divided into, by their addresses. */
const UNKNOWN_PARTIES = 64;
const LONGEST_MESSAGE = 500;
const LONGEST_PATH = 200;

/** The number of calls that were refused alike: in the same hour, of the same caller, engine and code. */
export interface RefusalCount {
  readonly hour: Date;
  readonly engine: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly status: number;
  readonly code: string;
  calls: number;
}

export interface KeptCall extends Omit<RefusedCall, 'address'> {
  readonly at: Date;
  /** The party whose share it takes: an account, or some addresses together. */
  readonly party: string;
}

export interface Refusals {
  readonly counts: readonly RefusalCount[];
  readonly calls: readonly KeptCall[];
}

/** Refused calls since they were last taken, in bounded memory: all are counted, the first ones of each party kept in full. */
export class RefusalBuffer {
  readonly #isEngine: (id: string) => boolean;
  #counts = new Map<string, RefusalCount>();
  #calls: KeptCall[] = [];
  #ofParty = new Map<string, number>();
  #share = MOST_OF_PARTY;

  /** `isEngine`: whether a name is in the catalogue. Any other name is a caller's text, and makes no kind of its own. */
  constructor(isEngine: (id: string) => boolean) {
    this.#isEngine = isEngine;
  }

  add(call: RefusedCall, at: Date): void {
    const engine = call.engine !== null && this.#isEngine(call.engine) ? call.engine : null;
    this.#count(call, engine, at);
    const party = partyOf(call);
    this.#keep(party, () => {
      const { address: _, ...kept } = call;
      const message = cleanText(call.message.slice(0, LONGEST_MESSAGE));
      return { ...kept, engine, message, path: cleanText(call.path.slice(0, LONGEST_PATH)), party, at };
    });
  }

  /** Takes what has gathered, and leaves the buffer empty. */
  take(): Refusals {
    const taken = { counts: [...this.#counts.values()], calls: this.#calls };
    this.#counts = new Map();
    this.#calls = [];
    this.#ofParty = new Map();
    this.#share = MOST_OF_PARTY;
    return taken;
  }

  /** Takes back what could not be written: all counts, and single calls within the shares, before those that came since. */
  giveBack({ counts, calls }: Refusals): void {
    for (const count of counts) this.#add(count);
    const since = this.#calls;
    this.#calls = [];
    this.#ofParty = new Map();
    for (const call of [...calls, ...since]) this.#keep(call.party, () => call);
  }

  /** Keeps one more call of a party, where its share allows; only then is the call made. */
  #keep(party: string, make: () => KeptCall): void {
    const ofParty = this.#ofParty.get(party) ?? 0;
    if (ofParty >= this.#share) return;
    this.#makeRoom();
    if (ofParty >= this.#share || this.#calls.length >= MOST_CALLS) return; // the share may be smaller now
    this.#ofParty.set(party, ofParty + 1);
    this.#calls.push(make());
  }

  /** Makes room for one more call of a party below its share; there is none where every party has one call already. */
  #makeRoom(): void {
    while (this.#calls.length >= MOST_CALLS && this.#share > 1) {
      this.#share = Math.floor(this.#share / 2);
      const ofParty = new Map<string, number>();
      this.#calls = this.#calls.filter(({ party }) => {
        const kept = ofParty.get(party) ?? 0;
        if (kept < this.#share) ofParty.set(party, kept + 1);
        return kept < this.#share;
      });
      this.#ofParty = ofParty;
    }
  }

  #count({ accountId, keyId, status, code }: RefusedCall, engine: string | null, at: Date): void {
    const hour = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
    const kind = { account_id: accountId ?? '', key_id: keyId ?? '', status, code };
    this.#add({ hour, engine: engine ?? '', ...kind, calls: 1 });
  }

  #add(count: RefusalCount): void {
    const { hour, status, code } = count;
    const exact = keyOf(count);
    // Beyond the bound a call is counted by its code alone.
    const isNew = !this.#counts.has(exact) && this.#counts.size >= MOST_KINDS;
    const kept = isNew
      ? { hour, status, code, engine: '', account_id: '', key_id: '', calls: count.calls }
      : { ...count };
    const known = this.#counts.get(keyOf(kept));
    if (known) known.calls += kept.calls;
    else this.#counts.set(keyOf(kept), kept);
  }
}

/**
 * The party of a call: its account, or one of 64 for addresses, because one caller may have any number of these, and the shares
 * of all would be nothing.
 */
function partyOf({ accountId, address }: RefusedCall): string {
  if (accountId !== null) return accountId;
  const [byte = 0] = createHash('sha256')
    .update(address ?? '')
    .digest();
  return `address ${byte % UNKNOWN_PARTIES}`;
}

function keyOf({ hour, engine, account_id, key_id, status, code }: RefusalCount): string {
  return [hour.getTime(), engine, account_id, key_id, status, code].join(' ');
}
