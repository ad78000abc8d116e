import { LaneBatcher, type Lanes } from '../../../database/batches/lane-batcher.ts';
import { OutageError, throughOutage } from '../../../database/outage.ts';
import { type Pool, query } from '../../../database/pool.ts';
import type { Log } from '../../../platform/logging/log.ts';
import type { NanoUsd } from '../../../platform/money.ts';
import type { WalletRetries } from '../wallet-retries.ts';
import { acceptStatement } from './accept-sql.ts';
import {
  type Acceptance,
  type AcceptanceAnswer,
  type AcceptanceRow,
  budgetOf,
  type Candidate,
  judgeAcceptance,
} from './acceptance.ts';
import { packCandidates } from './pack-candidates.ts';
import { ReplaceableCandidate } from './replaceable-candidate.ts';

/**
 * Documents of one statement are one buffer, which the driver copies: room for the largest document, but not for many of
 * them.
 */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** How long acceptance waits for a database that is away, or for a wallet that is locked. */
const PATIENCE_MS = 30_000;

interface Item {
  readonly candidate: Candidate;
  /** It was sent before, with an unknown outcome: the statement has to look it up. */
  readonly sentAgain: boolean;
}

const FUNDS = {
  name: 'acceptance-funds',
  repeatable: true,
  text: 'select posted - held as available, owed from wallet where account_id = $1',
};

/** What an account can spend, and what it owes. */
export interface Funds {
  readonly available: NanoUsd;
  readonly owed: NanoUsd;
}

/** Accepts requests: those that wait while a statement runs go together into the next one. */
export class AcceptanceStore {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly #locked: WalletRetries;
  readonly #log: Log;
  readonly #batcher: LaneBatcher<Item, AcceptanceAnswer>;

  constructor(
    pool: Pool,
    options: { owner: string; leaseMs: number; lanes: Lanes; walletRetries: WalletRetries; log: Log },
  ) {
    this.#pool = pool;
    this.#owner = options.owner;
    this.#leaseMs = options.leaseMs;
    this.#locked = options.walletRetries;
    this.#log = options.log;
    const { lanes } = options;
    this.#batcher = new LaneBatcher((items) => this.#accept(items), {
      maxItems: 32,
      weight: { of: ({ candidate }) => candidate.bytes?.length ?? 0, max: MAX_BATCH_BYTES },
      lanes,
      waits: pool.waits,
      startsSmall: true,
    });
  }

  /**
   * Sends the candidate again after an outage: an acceptance that was committed although its answer was lost is found. Throws
   * `OutageError` when the database stays away; whether the request was accepted is unknown then.
   *
   * Where the account's wallet is locked for long, the candidate that `replacement` makes is sent instead; what `replacement`
   * throws is thrown.
   */
  async accept(first: Candidate, replacement: () => Candidate = () => first): Promise<Acceptance> {
    const deadline = performance.now() + PATIENCE_MS;
    const { accountId } = first.request;
    const replaceable = new ReplaceableCandidate(first, replacement);
    let sentAgain = false;
    const send = () =>
      replaceable.send(async (candidate) => {
        const before = sentAgain;
        sentAgain = true;
        const answer = await this.#batcher.add({ candidate, sentAgain: before });
        if (answer === 'locked') sentAgain = before; // nothing came of it
        return answer;
      });
    const ask = () =>
      this.#locked.through<Acceptance | 'again'>(accountId, send, {
        limitMs: deadline - performance.now(),
        onLong: () => replaceable.onLocked(),
      });
    const onPause = (error: unknown, pauseMs: number) =>
      this.#log.warn({ err: error, pauseMs }, 'acceptance waits for the database');
    for (;;) {
      const answer = await throughOutage(ask, { limitMs: deadline - performance.now(), onPause });
      if (answer !== 'again') return answer;
      if (performance.now() > deadline) throw new OutageError('it was neither accepted nor refused');
    }
  }

  /** What the account has at this moment, without a lock. */
  async funds(accountId: string): Promise<Funds> {
    const [funds] = await query<Funds>(this.#pool, FUNDS, [accountId]);
    if (!funds) throw new Error(`account ${accountId} has no wallet`);
    return funds;
  }

  async #accept(sent: Item[]): Promise<Promise<AcceptanceAnswer>[]> {
    const candidates = sent.map(({ candidate }) => candidate);
    const { items, blob } = packCandidates(candidates, this.#owner);
    const isDurable = candidates.some(({ request }) => request.mode === 'async');
    const discards = candidates.some(({ request }) => request.discard);
    const limits = candidates.some(({ isLimited }) => isLimited);
    const looksUp = limits || sent.some(({ sentAgain }) => sentAgain);
    const rows = await query<AcceptanceRow>(this.#pool, acceptStatement({ discards, looksUp, limits }), [
      items,
      blob,
      `${this.#leaseMs} milliseconds`,
      isDurable ? 'on' : 'off',
    ]);
    const left = new Map<string, NanoUsd>();
    const leftOfKey = new Map<string | null, NanoUsd>();
    for (const [n, { request, hold }] of candidates.entries()) {
      const row = rows[n];
      const taken = row?.accepted ? hold : 0n;
      left.set(request.accountId, (left.get(request.accountId) ?? row?.available ?? 0n) - taken);
      leftOfKey.set(request.keyId, (leftOfKey.get(request.keyId) ?? row?.limit_left ?? 0n) - taken);
    }
    // The statement is committed: an error from here on concerns its own candidate alone.
    return candidates.map(async (candidate, n) => {
      const row = rows[n];
      if (!row) throw new Error('acceptance lost a request');
      const { accountId, keyId } = candidate.request;
      const budget = budgetOf(row, leftOfKey.get(keyId) ?? 0n);
      const answer = judgeAcceptance(candidate, row, { left: left.get(accountId) ?? 0n, budget, owner: this.#owner });
      // Its key may be bound to an earlier request, which is repeated whatever the balance is: it goes out again, with a look-up.
      const mayBeBound = !looksUp && candidate.request.idempotencyKey !== null;
      return mayBeBound && typeof answer === 'object' && answer.kind === 'refused' ? 'again' : answer;
    });
  }
}
