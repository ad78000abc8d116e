import type { NanoUsd } from '../database/money.ts';
import { type Pool, query, transaction } from '../database/pool.ts';
import { AppError } from '../errors.ts';

/** What an account has: `posted` in the ledger, `held` of it, and `owed` beside it. */
export interface Balance {
  readonly posted: NanoUsd;
  readonly held: NanoUsd;
  readonly owed: NanoUsd;
}

export interface UsageTotals {
  readonly balance: NanoUsd;
  readonly spent: NanoUsd;
  readonly requests: bigint;
  readonly pages: bigint;
}

const BALANCE = {
  name: 'wallet-balance',
  text: 'select posted, held, owed from wallet where account_id = $1',
};

/** A top-up pays what is owed first; the rest is credit. */
const TOP_UP = {
  name: 'wallet-top-up',
  text: `with before as (select account_id, owed from wallet where account_id = $1 for update),
         changed as (
           update wallet w set posted = w.posted + $2 - least(w.owed, $2), owed = w.owed - least(w.owed, $2)
           from before where w.account_id = before.account_id
           returning w.account_id, w.posted, w.held, w.owed, least(before.owed, $2) as collected
         ),
         credited as (
           insert into ledger_transfer (account_id, kind, debit, credit, amount, idempotency_key)
           select account_id, 'top_up', 'cash', 'wallet', $2, $3 from changed
         ),
         collected as (
           insert into ledger_transfer (account_id, kind, debit, credit, amount)
           select account_id, 'collected', 'wallet', 'receivable', collected from changed where collected > 0
         )
         select posted, held, owed from changed`,
};

const TOTALS = {
  name: 'usage-totals',
  text: 'select posted - held as balance, spent, requests, pages from wallet where account_id = $1',
};

/** The money of accounts outside a request's life: reading it, and adding to it. */
export class Ledger {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async balance(accountId: string): Promise<Balance> {
    const [row] = await query<{ posted: bigint; held: bigint; owed: bigint }>(this.#pool, BALANCE, [accountId]);
    if (!row) throw new AppError('not_found', 'There is no such account.');
    return row;
  }

  /** Adds credit; what is owed is collected from it first. The same key again, whenever it comes, adds nothing. */
  async topUp(accountId: string, amount: NanoUsd, idempotencyKey: string | null = null): Promise<Balance> {
    if (amount <= 0n) throw new AppError('invalid_request', 'A top-up must be more than 0 USD.');
    const key = idempotencyKey === null ? null : `${accountId} ${checkedKey(idempotencyKey)}`;
    const [row] = await query<{ posted: bigint; held: bigint; owed: bigint }>(this.#pool, TOP_UP, [
      accountId,
      amount,
      key,
    ]).catch(async (error: unknown) => {
      if (!isRepeated(error)) throw error;
      return [await this.balance(accountId)];
    });
    if (!row) throw new AppError('not_found', 'There is no such account.');
    return row;
  }

  async totals(accountId: string): Promise<UsageTotals> {
    const [row] = await query<{ balance: bigint; spent: bigint; requests: bigint; pages: bigint }>(this.#pool, TOTALS, [
      accountId,
    ]);
    if (!row) throw new AppError('not_found', 'There is no such account.');
    return row;
  }

  /** The invariants that must hold at every instant; one row each, `ok` when nothing violates it. */
  async check(): Promise<{ name: string; ok: boolean; detail: string }[]> {
    return transaction(this.#pool, async (client) => {
      await client.query('set transaction isolation level repeatable read, read only');
      const results = [];
      for (const invariant of INVARIANTS) {
        const { rows } = await client.query<{ violations: bigint }>(invariant.text);
        const violations = rows[0]?.violations ?? 0n;
        results.push({ name: invariant.name, ok: violations === 0n, detail: `${violations} violations` });
      }
      return results;
    });
  }
}

const LONGEST_KEY = 200;

function checkedKey(key: string): string {
  if (key.length > 0 && key.length <= LONGEST_KEY && !key.includes('\0') && key.isWellFormed()) return key;
  throw new AppError('invalid_request', `idempotencyKey: must have 1 to ${LONGEST_KEY} characters.`);
}

/** The statement as a whole was refused: the transfer of this key is there already. */
function isRepeated(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'ledger_transfer_key_unique';
}

const INVARIANTS = [
  {
    name: 'wallets equal their ledger',
    text: `select count(*) as violations from wallet w where w.posted <> coalesce((
             select sum(case when credit = 'wallet' then amount else 0 end) - sum(case when debit = 'wallet' then amount else 0 end)
             from ledger_transfer t where t.account_id = w.account_id), 0)`,
  },
  {
    name: 'owed amounts equal their ledger',
    text: `select count(*) as violations from wallet w where w.owed <> coalesce((
             select sum(case when debit = 'receivable' then amount else 0 end) - sum(case when credit = 'receivable' then amount else 0 end)
             from ledger_transfer t where t.account_id = w.account_id), 0)`,
  },
  {
    name: 'held money equals open holds',
    text: `select count(*) as violations from wallet w where w.held <> coalesce((
             select sum(hold) from ocr_request r where r.account_id = w.account_id and r.finished_at is null), 0)`,
  },
  {
    name: 'totals equal their rows',
    text: `select count(*) as violations from wallet w where
             w.spent <> coalesce((select sum(cost) from ocr_request r where r.account_id = w.account_id), 0)
             or w.requests <> (select count(*) from ocr_request r where r.account_id = w.account_id)
             or w.pages <> coalesce((select sum(pages) from ocr_request r where r.account_id = w.account_id), 0)`,
  },
  {
    name: 'a request costs what the ledger charged for it',
    text: `select count(*) as violations from ocr_request r where r.cost <> coalesce((
             select sum(amount) from ledger_transfer t
             where t.request_id = r.id and t.kind in ('charge', 'provider_cost')), 0)`,
  },
];
