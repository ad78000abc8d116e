import { type BudgetLeft, fitsBudget } from '../../billing/limits/key-budgets.ts';
import { LaneBatcher, type Lanes } from '../../database/batches/lane-batcher.ts';
import { OutageError, throughOutage } from '../../database/outage.ts';
import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { NanoUsd } from '../../platform/money.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { acceptStatement } from './accept-sql.ts';
import type { WalletRetries } from './wallet-retries.ts';

/** A request that wants to be accepted. */
export interface Candidate {
  readonly request: OcrRequest;
  readonly hold: NanoUsd;
  /** The document to store with the request; null for a URL, and where the process that starts the work has it. */
  readonly bytes: Buffer | null;
  /** Blocked while the account owes anything. */
  readonly tokenPriced: boolean;
  /** Its key may have a spending limit. */
  readonly isLimited: boolean;
  /** This process starts the work at once: its lease is then part of acceptance. */
  readonly starts: boolean;
  /** Where it joins the queue; see queue-levels.ts. Null for what starts at once. */
  readonly level: number | null;
}

/** Documents of one statement are one buffer, which the driver copies: more than one document may be, and not many of them. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** How long acceptance waits for a database that is away, or for a wallet that is locked. */
const NOTHING = Buffer.alloc(0);
const PATIENCE_MS = 30_000;

export type Acceptance =
  /** `isOurs`: it is as this acceptance has left it, and this process starts the work or announces it. */
  | { readonly kind: 'accepted'; readonly isOurs: boolean }
  /** The account's key is bound already, to this request. */
  | { readonly kind: 'known'; readonly requestId: string }
  | { readonly kind: 'refused'; readonly reason: 'balance' | 'owed'; readonly available: NanoUsd }
  | { readonly kind: 'refused'; readonly reason: 'limit'; readonly budget: BudgetLeft };

interface Row {
  n: number;
  known_id: string | null;
  status: string | null;
  fence: number | null;
  lease_owner: string | null;
  accepted: boolean;
  /** Null while the wallet is not ours: `locked`, or there is none. */
  available: bigint | null;
  owed: bigint;
  locked: boolean;
  /** Null, or absent, where its key has no limit. */
  limit_amount?: NanoUsd | null;
  limit_period?: BudgetLeft['period'];
  limit_ends_at?: Date | null;
  limit_left?: NanoUsd | null;
}

interface Item {
  readonly candidate: Candidate;
  /** It went out before, and what became of it is not known. */
  readonly sentAgain: boolean;
}

type Answer = Acceptance | 'again' | 'locked';

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

/** Accepts requests, gathered: what waits while a statement runs goes into the next one. */
export class AcceptanceStore {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly #locked: WalletRetries;
  readonly #log: Log;
  readonly #batcher: LaneBatcher<Item, Answer>;

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
    });
  }

  /**
   * Through an outage, too: an acceptance that was committed although its answer was lost is found and goes on. Throws
   * `OutageError` when the database stays away; what became of the request is not known then.
   *
   * While the account's wallet stays locked, the candidate is another one: `whileLocked` gives it, and its error, should it
   * throw one, is the answer.
   */
  async accept(first: Candidate, whileLocked: () => Candidate = () => first): Promise<Acceptance> {
    const deadline = performance.now() + PATIENCE_MS;
    const { accountId } = first.request;
    const standing = new Standing(first, whileLocked);
    let sentAgain = false;
    const send = () =>
      standing.send(async (candidate) => {
        const before = sentAgain;
        sentAgain = true;
        const answer = await this.#batcher.add({ candidate, sentAgain: before });
        if (answer === 'locked') sentAgain = before; // nothing came of it
        return answer;
      });
    const ask = () =>
      this.#locked.through<Acceptance | 'again'>(accountId, send, {
        limitMs: deadline - performance.now(),
        onLong: () => standing.onLocked(),
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

  async #accept(sent: Item[]): Promise<Promise<Answer>[]> {
    const candidates = sent.map(({ candidate }) => candidate);
    const { items, blob } = this.#pack(sent);
    const told = candidates.some(({ request }) => request.mode === 'async');
    const discards = candidates.some(({ request }) => request.discard);
    const limits = candidates.some(({ isLimited }) => isLimited);
    const looksUp = limits || sent.some(({ sentAgain }) => sentAgain);
    const rows = await query<Row>(this.#pool, acceptStatement({ discards, looksUp, limits }), [
      items,
      blob,
      `${this.#leaseMs} milliseconds`,
      told ? 'on' : 'off',
    ]);
    const left = new Map<string, NanoUsd>();
    const leftOfKey = new Map<string | null, NanoUsd>();
    for (const [n, { request, hold }] of candidates.entries()) {
      const row = rows[n];
      const taken = row?.accepted ? hold : 0n;
      left.set(request.accountId, (left.get(request.accountId) ?? row?.available ?? 0n) - taken);
      leftOfKey.set(request.keyId, (leftOfKey.get(request.keyId) ?? row?.limit_left ?? 0n) - taken);
    }
    // From here on it is committed: what is wrong with one is that one's alone.
    return candidates.map(async (candidate, n) => {
      const row = rows[n];
      if (!row) throw new Error('acceptance lost a request');
      const { accountId, keyId } = candidate.request;
      const budget = budgetOf(row, leftOfKey.get(keyId) ?? 0n);
      const answer = judge(candidate, row, { left: left.get(accountId) ?? 0n, budget, owner: this.#owner });
      // What is refused now may be bound already, and is repeated whatever the account has.
      const mayBeBound = !looksUp && candidate.request.idempotencyKey !== null;
      return mayBeBound && typeof answer === 'object' && answer.kind === 'refused' ? 'again' : answer;
    });
  }

  #pack(sent: Item[]): { items: string; blob: Buffer } {
    const claimed = new Set<string>();
    let at = 0;
    const documents: Buffer[] = [];
    const items = sent.map(({ candidate }, n) => {
      const { request, hold, bytes, tokenPriced, starts, level } = candidate;
      // Two calls with one key in the same batch: the second goes in without effect and meets the first next time.
      const claim = `${request.accountId} ${request.idempotencyKey}`;
      const twice = request.idempotencyKey !== null && claimed.has(claim);
      claimed.add(claim);
      const item = {
        n,
        id: request.id,
        account_id: request.accountId,
        key_id: request.keyId,
        idempotency_key: request.idempotencyKey,
        fingerprint: request.fingerprint,
        engine: request.requestedEngine,
        mode: request.mode,
        effective: request.effective,
        warnings: request.notes,
        pages_total: request.pagesTotal,
        hold: twice ? String(IMPOSSIBLE) : String(hold),
        token_priced: tokenPriced,
        lease_owner: starts ? this.#owner : null,
        level,
        job_id: request.jobId,
        prices: request.prices,
        document_at: at,
        document_length: twice ? 0 : (bytes?.length ?? 0),
        discard: request.discard,
        trace: request.trace,
      };
      if (bytes && !twice) {
        documents.push(bytes);
        at += bytes.length;
      }
      return item;
    });
    const [only = NOTHING] = documents; // megabytes, which are not copied where they are alone
    return { items: JSON.stringify(items), blob: documents.length > 1 ? Buffer.concat(documents) : only };
  }
}

/** What is asked for; it changes between two statements only, once the wallet stays locked. */
class Standing {
  #candidate: Candidate;
  readonly #whileLocked: () => Candidate;
  #isSent = false;
  #isLocked = false;
  #refusal: { readonly error: unknown } | null = null;

  constructor(candidate: Candidate, whileLocked: () => Candidate) {
    this.#candidate = candidate;
    this.#whileLocked = whileLocked;
  }

  async send(ask: (candidate: Candidate) => Promise<Answer>): Promise<Answer> {
    if (this.#refusal) throw this.#refusal.error;
    this.#isSent = true;
    const answer = await ask(this.#candidate).finally(() => {
      this.#isSent = false;
    });
    if (answer === 'locked' && this.#isLocked) this.#change();
    return answer;
  }

  onLocked(): void {
    this.#isLocked = true;
    if (!this.#isSent) this.#change();
  }

  #change(): void {
    this.#isLocked = false;
    try {
      this.#candidate = this.#whileLocked();
    } catch (error) {
      this.#refusal = { error };
    }
  }
}

/** More than any balance: an item with this hold is never inserted. */
const IMPOSSIBLE = 9_000_000_000_000_000_000n;

/**
 * What the statement's row means. A candidate that was passed over although its hold would fit (it stood behind a
 * larger one, or lost a race for its key) tries again: each refusal is exact.
 */
function judge(candidate: Candidate, row: Row, { left, budget, owner }: Found): Answer {
  if (row.known_id === candidate.request.id) return { kind: 'accepted', isOurs: isAsAccepted(candidate, row, owner) };
  if (row.known_id) return { kind: 'known', requestId: row.known_id };
  if (row.accepted) return { kind: 'accepted', isOurs: true };
  if (row.available === null) {
    if (row.locked) return 'locked';
    throw new AppError(
      'internal_error',
      'The account has no wallet: an operator has to look at it. Nothing was charged.',
    );
  }
  if (candidate.tokenPriced && row.owed > 0n) return { kind: 'refused', reason: 'owed', available: left };
  if (candidate.hold > left) return { kind: 'refused', reason: 'balance', available: left };
  if (budget && !fitsBudget(budget, candidate)) return { kind: 'refused', reason: 'limit', budget };
  return 'again';
}

/** What the statement left of the wallet, and of the limit of its key; and by whom it was sent. */
interface Found {
  readonly left: NanoUsd;
  readonly budget: BudgetLeft | null;
  readonly owner: string;
}

function budgetOf(row: Row, remaining: NanoUsd): BudgetLeft | null {
  const { limit_amount: amount, limit_period: period, limit_ends_at: endsAt = null } = row;
  return amount == null || period === undefined ? null : { amount, period, endsAt, remaining };
}

/** Whether a request that was accepted earlier is still where acceptance has put it. */
function isAsAccepted({ starts }: Candidate, { status, fence, lease_owner }: Row, owner: string): boolean {
  return starts ? status === 'processing' && fence === 1 && lease_owner === owner : status === 'queued' && fence === 0;
}
