import { LaneBatcher, type Lanes } from '../../../database/batches/lane-batcher.ts';
import { type Pool, query } from '../../../database/pool.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Phases } from '../../times/phases.ts';
import type { WalletRetries } from '../wallet-retries.ts';
import { type PackedItem, packSettlement, settlementValues } from './pack-settlement.ts';
import { settleStatement } from './settle-sql.ts';
import type { RequestToSettle, Settlement, StoredEnd } from './settlement.ts';

export interface SettleOptions {
  /**
   * Hands the text (of a partial result: the preview) to a caller who waits in another process, even where it is not
   * retained.
   */
  readonly passText?: boolean;
  /** Does the same with the pages. */
  readonly passPages?: boolean;
  readonly phases?: Phases | null;
  /** Frees the idempotency key, whatever the mode. */
  readonly unbinds?: boolean;
  /** The request may be in the queue: removes it from there. */
  readonly dequeues?: boolean;
  /** How long to wait for a locked wallet, in milliseconds. */
  readonly patienceMs?: number;
}

interface Item extends PackedItem {
  readonly settlement: Settlement;
  readonly dequeues: boolean;
}

/** Characters of one statement's texts: room for the largest request, but not for many large ones. */
const MAX_BATCH_LENGTH = 16 * 1024 * 1024;
const PATIENCE_MS = 30_000;

/** `lost`: the request is under another lease by now, or has ended in another way; nothing was written. */
export type SettlementAnswer = 'lost' | StoredEnd;

interface Row {
  n: number;
  /** Whether the text is kept of a request that this statement has ended; null for any other request. */
  history: boolean | null;
  locked: boolean;
  hasWallet: boolean;
  /** Whether a request under this fence, which this statement has not ended, is still open; null where there is none. */
  open: boolean | null;
  status: string | null;
  history_before: boolean | null;
  finished_at: Date | null;
  cancelled_at: Date | null;
  cancel_requested_at: Date | null;
}

/** Settles requests: those that wait while a statement runs go together into the next one, as with acceptance. */
export class SettlementStore {
  readonly #pool: Pool;
  readonly #onAnnounced: () => void;
  readonly #onEnded: (request: RequestToSettle, settlement: Settlement) => void;
  readonly #walletRetries: WalletRetries;
  readonly #batcher: LaneBatcher<Item, SettlementAnswer | 'locked'>;

  /** `onAnnounced` is called when webhooks became due, `onEnded` with each request that was ended. */
  constructor(
    pool: Pool,
    options: {
      lanes: Lanes;
      walletRetries: WalletRetries;
      onAnnounced: () => void;
      onEnded?: (request: RequestToSettle, settlement: Settlement) => void;
    },
  ) {
    this.#pool = pool;
    this.#onEnded = options.onEnded ?? (() => undefined);
    this.#onAnnounced = options.onAnnounced;
    this.#walletRetries = options.walletRetries;
    const { lanes } = options;
    this.#batcher = new LaneBatcher((items) => this.#settle(items), {
      maxItems: 32,
      weight: { of: ({ length }) => length, max: MAX_BATCH_LENGTH },
      lanes,
      waits: pool.waits,
      startsSmall: true,
    });
  }

  /**
   * A settlement may be sent again when its answer was lost: it then answers what the first one has done. Throws
   * `OutageError` while the wallet or the request stays locked.
   */
  async settle(
    request: RequestToSettle,
    settlement: Settlement,
    options: SettleOptions = {},
  ): Promise<SettlementAnswer> {
    const { passText = false, passPages = false, phases = null, unbinds = false, patienceMs = PATIENCE_MS } = options;
    const dequeues = settlement.cancelled || options.dequeues === true;
    const read = settlement.status === 'partial' ? settlement.preview : settlement.text;
    const passing = passText ? read : null;
    const packed = packSettlement({ request, settlement, passing, passesPages: passPages, phases, unbinds });
    const item = { ...packed, settlement, dequeues };
    const answer = await this.#walletRetries.through(request.accountId, () => this.#batcher.add(item), {
      limitMs: patienceMs,
    });
    if (answer !== 'lost') this.#onEnded(request, settlement);
    return answer;
  }

  async #settle(items: Item[]): Promise<Promise<SettlementAnswer | 'locked'>[]> {
    const announces = items.some(({ settlement }) => settlement.webhookUrl !== null);
    const dequeues = items.some((item) => item.dequeues);
    const withLayouts = items.some((item) => item.hasLayouts);
    const statement = settleStatement({ announces, dequeues, hasLayouts: withLayouts });
    const values = settlementValues(items, withLayouts);
    const rows = await query<Row>(this.#pool, statement, values);
    // The statement is committed: an error from here on concerns its own item alone.
    return items.map(async (item, n) => {
      if (n === 0 && announces) this.#onAnnounced();
      return judge(item, rows[n]);
    });
  }
}

/** What the statement's row means. A request that has ended with the same status was ended by an earlier try of ours. */
function judge({ settlement }: Item, row: Row | undefined): SettlementAnswer | 'locked' {
  if (!row) throw new Error('settlement lost a request');
  if (row.history !== null) return endOf(row, row.history);
  if (row.open === null) return 'lost';
  if (!row.open) return row.status === settlement.status ? endOf(row, row.history_before === true) : 'lost';
  if (row.locked || row.hasWallet) return 'locked';
  throw new AppError('internal_error', 'The account has no wallet: an operator has to look at it.');
}

function endOf(row: Row, textRetained: boolean): StoredEnd {
  return {
    textRetained,
    finishedAt: row.finished_at,
    cancelledAt: row.cancelled_at,
    cancelRequestedAt: row.cancel_requested_at,
  };
}
