import { setTimeout as sleep } from 'node:timers/promises';
import { FairSemaphore, type Permit, type SecondPermit } from '../../platform/concurrency/fair-semaphore.ts';
import { AppError } from '../../platform/errors.ts';
import type { DocumentClient } from './document-client.ts';
import { TimeDebt } from './time-debt.ts';

/** Longest wait before a request is accepted: less than the time after which a slow answer commits its status. */
const OPENING_WAIT_MS = 20_000;
const MOST_OPENING_EACH = 32;
const RETRY_AFTER_SECONDS = 10;
const NEVER = new AbortController().signal;

/**
 * Turns at the threads or processes that work on documents. Accounts take turns. One whose documents have cost time without being
 * read has one place at once, and waits while it owes more than eight seconds of it. There is one place more than one account may
 * hold: where a document takes its time, those of another account begin meanwhile.
 */
export class Turns {
  /** Most threads or processes that work at once. */
  readonly most: number;
  readonly #gate: FairSemaphore;
  readonly #debt = new TimeDebt();
  readonly #openings: FairSemaphore;
  readonly #opening = new Map<string, number>();

  /** `each`: how many places one account may hold. */
  constructor(each: number) {
    this.most = each + 1;
    this.#gate = new FairSemaphore(this.most, (party) => (this.#debt.of(party) > 0 ? 1 : each));
    // Unopened documents of a party leave it a place for opened ones, where it has several: how long they take is unknown.
    this.#openings = new FairSemaphore(Number.POSITIVE_INFINITY, () => Math.max(1, each - 1));
  }

  /**
   * Waits for a turn, and for the second permit that the work needs, if any. Rejects with the signal's reason when that aborts.
   * Before a request is accepted, line and wait are limited: 503 beyond.
   */
  async take(client: DocumentClient, second?: SecondPermit): Promise<Permit> {
    const { party = '', opening = false } = client;
    return this.inTime(client, (signal) => {
      const turn = { party, signal, second };
      return opening ? this.#open(turn) : this.#take(turn);
    });
  }

  /** Waits for anything, with the limits of `take`. */
  async inTime<T>(
    { party = '', signal = NEVER, opening = false }: DocumentClient,
    wait: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (!opening) return wait(signal);
    const before = this.#opening.get(party) ?? 0;
    if (party !== '' && before >= MOST_OPENING_EACH) throw tooMany();
    this.#opening.set(party, before + 1);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooMany()), OPENING_WAIT_MS);
    try {
      return await wait(AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
      const left = (this.#opening.get(party) ?? 1) - 1;
      if (left > 0) this.#opening.set(party, left);
      else this.#opening.delete(party);
    }
  }

  /** Notes that a document of the party took so many milliseconds and came to nothing. */
  failed(party: string | undefined, ms: number): void {
    this.#debt.add(party ?? '', ms);
  }

  /** Looks for waiters that may begin. To be called when a second permit may have become free. */
  advance(): void {
    this.#gate.advance();
  }

  async #open(turn: Turn): Promise<Permit> {
    const entry = await this.#openings.acquire(turn.signal, turn.party);
    try {
      const permit = await this.#take(turn);
      const release = () => {
        permit.release();
        entry.release();
      };
      return { release, [Symbol.dispose]: release };
    } catch (error) {
      entry.release();
      throw error;
    }
  }

  async #take({ party, signal, second }: Turn): Promise<Permit> {
    for (;;) {
      const permit = await this.#gate.acquire(signal, party, second);
      const waitMs = this.#debt.waitMs(party);
      if (waitMs === 0) return permit;
      permit.release();
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

interface Turn {
  readonly party: string;
  readonly signal: AbortSignal;
  readonly second: SecondPermit | undefined;
}

function tooMany(): AppError {
  return new AppError(
    'engine_unavailable',
    'Too many documents of this account are being opened, or took too long. Nothing was taken in; try again.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
