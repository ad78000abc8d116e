import { cleanText } from '../../database/storable.ts';
import type { RefusedCall } from '../../platform/refused-call.ts';

/** Counts of one kind are one number, however many calls they are of; so many kinds are told apart between two writes. */
const MOST_KINDS = 2000;
/** Of each party so many single calls are kept between two writes, and so many of all: one that floods hides no other. */
const MOST_OF_PARTY = 100;
const MOST_CALLS = 2000;
const LONGEST_MESSAGE = 500;
const LONGEST_PATH = 200;

/** What calls were refused alike: the same hour, caller, engine and code. */
export interface RefusalCount {
  readonly hour: Date;
  readonly engine: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly status: number;
  readonly code: string;
  calls: number;
}

export interface KeptCall extends RefusedCall {
  readonly at: Date;
}

export interface Refusals {
  readonly counts: readonly RefusalCount[];
  readonly calls: readonly KeptCall[];
}

/** Refused calls since they were last taken, in bounded memory: all of them counted, the first ones of each party in full. */
export class RefusalBuffer {
  readonly #isEngine: (id: string) => boolean;
  #counts = new Map<string, RefusalCount>();
  #calls: KeptCall[] = [];
  #ofParty = new Map<string, number>();

  /** `isEngine`: a name that is in no catalogue is any text that a caller thinks of, and no kind of its own. */
  constructor(isEngine: (id: string) => boolean) {
    this.#isEngine = isEngine;
  }

  add(call: RefusedCall, at: Date): void {
    const engine = call.engine !== null && this.#isEngine(call.engine) ? call.engine : null;
    this.#count(call, engine, at);
    const party = call.accountId ?? '';
    const ofParty = this.#ofParty.get(party) ?? 0;
    if (ofParty >= MOST_OF_PARTY || this.#calls.length >= MOST_CALLS) return;
    this.#ofParty.set(party, ofParty + 1);
    const message = cleanText(call.message.slice(0, LONGEST_MESSAGE));
    this.#calls.push({ ...call, engine, message, path: cleanText(call.path.slice(0, LONGEST_PATH)), at });
  }

  /** What has gathered; the buffer is empty then. */
  take(): Refusals {
    const taken = { counts: [...this.#counts.values()], calls: this.#calls };
    this.#counts = new Map();
    this.#calls = [];
    this.#ofParty = new Map();
    return taken;
  }

  /** Gives back what could not be written: the counts; single calls only as far as there is room. */
  giveBack({ counts, calls }: Refusals): void {
    for (const count of counts) this.#add(count);
    this.#calls = [...calls, ...this.#calls].slice(0, MOST_CALLS);
  }

  #count({ accountId, keyId, status, code }: RefusedCall, engine: string | null, at: Date): void {
    const hour = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
    const kind = { account_id: accountId ?? '', key_id: keyId ?? '', status, code };
    this.#add({ hour, engine: engine ?? '', ...kind, calls: 1 });
  }

  #add(count: RefusalCount): void {
    const { hour, status, code } = count;
    const exact = keyOf(count);
    // Beyond the bound it is still counted, by its code alone.
    const isNew = !this.#counts.has(exact) && this.#counts.size >= MOST_KINDS;
    const kept = isNew
      ? { hour, status, code, engine: '', account_id: '', key_id: '', calls: count.calls }
      : { ...count };
    const known = this.#counts.get(keyOf(kept));
    if (known) known.calls += kept.calls;
    else this.#counts.set(keyOf(kept), kept);
  }
}

function keyOf({ hour, engine, account_id, key_id, status, code }: RefusalCount): string {
  return [hour.getTime(), engine, account_id, key_id, status, code].join(' ');
}
