import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type NanoUsd, toUsd } from '../platform/money.ts';
import { ADJUST_DOWN, ADJUST_UP, BY_KEY, CHARGED, CLOSE, REFUND, TOP_UP, WRITE_OFF } from './corrections-sql.ts';
import type { Balance } from './ledger.ts';

/** What makes a change of an account's money one that is made once: the same key again changes nothing. */
type TransferKey = string | null;

export interface Refunded {
  readonly accountId: string;
  /** Given back by this refund. */
  readonly refunded: NanoUsd;
  readonly available: NanoUsd;
  readonly owed: NanoUsd;
}

interface Correction {
  readonly reason: string;
  readonly key?: TransferKey;
}

/**
 * What operators add to accounts and take from them: top-ups, adjustments, refunds. Every one is a transfer of its own;
 * nothing that was written is changed.
 */
export class Corrections {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Adds credit; what is owed is collected from it first. */
  async topUp(accountId: string, amount: NanoUsd, { reason, key = null }: Partial<Correction> = {}): Promise<Balance> {
    if (amount <= 0n) throw new AppError('invalid_request', 'A top-up must be more than 0 USD.');
    const transfer = { accountId, kind: 'top_up', debit: 'cash', amount, requestId: null, key };
    const why = reason === undefined ? null : checkedText(reason, 'reason', LONGEST_REASON);
    const balance = await this.#once(transfer, (stored) => this.#change(TOP_UP, [accountId, amount, stored, why]));
    if (!balance) throw new AppError('not_found', 'There is no such account.');
    return balance;
  }

  /** Corrects a balance by more or less than nothing. Takes no more than is available: then it takes nothing at all. */
  async adjust(accountId: string, amount: NanoUsd, { reason, key = null }: Correction): Promise<Balance> {
    if (amount === 0n) throw new AppError('invalid_request', 'usd: an adjustment of 0 USD corrects nothing.');
    const size = amount < 0n ? -amount : amount;
    const statement = amount < 0n ? ADJUST_DOWN : ADJUST_UP;
    const debit = amount < 0n ? 'wallet' : 'adjustment';
    const transfer = { accountId, kind: 'adjustment', debit, amount: size, requestId: null, key };
    const why = checkedText(reason, 'reason', LONGEST_REASON);
    const balance = await this.#once(transfer, (stored) => this.#change(statement, [accountId, size, stored, why]));
    if (balance) return balance;
    throw new AppError(
      'insufficient_balance',
      `The account has less than ${toUsd(size)} USD available; nothing was taken.`,
    );
  }

  /** Nothing of the account is accepted any more; what is open settles as ever. */
  async close(accountId: string): Promise<void> {
    await query(this.#pool, CLOSE, [accountId]);
  }

  /** What an account owes is not asked for any more; answers how much that was. */
  async writeOff(accountId: string): Promise<NanoUsd> {
    const [row] = await query<{ owed: bigint }>(this.#pool, WRITE_OFF, [accountId, WRITTEN_OFF]);
    return row?.owed ?? 0n;
  }

  /** Gives back what was charged for a request, all that is left of it unless told how much. */
  async refund(requestId: string, amount: NanoUsd | null, { reason, key = null }: Correction): Promise<Refunded> {
    const why = checkedText(reason, 'reason', LONGEST_REASON);
    const request = await this.#charged(requestId);
    const { accountId } = request;
    const known = key === null ? null : await this.#byKey(accountId, key);
    const wanted = amount ?? known?.amount ?? request.cost - request.refunded;
    const transfer = { accountId, kind: 'refund', debit: 'refund', amount: wanted, requestId, key };
    const balance = await this.#once(transfer, (stored) => {
      if (wanted <= 0n) throw new AppError('invalid_request', 'usd: there is nothing to give back.');
      return this.#change(REFUND, [accountId, wanted, stored, why, requestId, newId('ref_')]);
    });
    if (balance) {
      const { posted, held, owed } = balance;
      return { accountId, refunded: wanted, available: posted - held, owed };
    }
    const { cost, refunded } = await this.#charged(requestId);
    throw new AppError(
      'invalid_request',
      `usd: the request was charged ${toUsd(cost)} USD, of which ${toUsd(refunded)} USD were given back already.`,
    );
  }

  /** Makes a change under its key. A key that is taken answers the balance, or is refused when it meant something else. */
  async #once(
    wanted: Transfer,
    change: (storedKey: string | null) => Promise<Balance | null>,
  ): Promise<Balance | null> {
    const { accountId, key } = wanted;
    if (key === null) return change(null);
    const repeated = async () => {
      const known = await this.#byKey(accountId, key);
      if (!known) return null;
      if (isSame(known, wanted)) return this.#balance(accountId);
      throw new AppError(
        'idempotency_key_reused',
        'This key was used for another transfer. Send a new key for a new one.',
      );
    };
    try {
      // Another one with this key may be faster: then there is no room for a second one, or its key is taken.
      return (await repeated()) ?? (await change(key)) ?? (await repeated());
    } catch (error) {
      if (!isTaken(error)) throw error;
      return repeated();
    }
  }

  async #change(statement: typeof TOP_UP, values: readonly unknown[]): Promise<Balance | null> {
    const [row] = await query<Balance & Record<string, unknown>>(this.#pool, statement, values);
    return row ?? null;
  }

  async #balance(accountId: string): Promise<Balance | null> {
    return this.#change(BALANCE, [accountId]);
  }

  /** Keys of before stand behind their account's id. */
  async #byKey(accountId: string, key: string): Promise<Omit<Transfer, 'key'> | null> {
    const forms = [checkedText(key, 'idempotencyKey', LONGEST_KEY), `${accountId} ${key}`];
    const [row] = await query<Omit<Transfer, 'key'>>(this.#pool, BY_KEY, [forms]);
    return row ?? null;
  }

  async #charged(requestId: string): Promise<Charged> {
    const [row] = await query<Charged & Record<string, unknown>>(this.#pool, CHARGED, [requestId]);
    if (!row) throw new AppError('not_found', 'There is no such request.');
    if (!row.isFinished)
      throw new AppError('invalid_request', 'The request has not ended: nothing was charged for it yet.');
    return row;
  }
}

const BALANCE = {
  name: 'wallet-balance-now',
  text: 'select posted, held, owed from wallet where account_id = $1',
};

/** A transfer as its key binds it; the reason may be put in other words. */
type Transfer = {
  readonly accountId: string;
  readonly kind: string;
  readonly debit: string;
  readonly amount: NanoUsd;
  readonly requestId: string | null;
  readonly key: TransferKey;
};

interface Charged {
  readonly accountId: string;
  readonly cost: NanoUsd;
  readonly refunded: NanoUsd;
  readonly isFinished: boolean;
}

const WRITTEN_OFF = 'written off: the account came to its end';
const LONGEST_KEY = 200;
const LONGEST_REASON = 500;

function isSame(known: Omit<Transfer, 'key'>, wanted: Transfer): boolean {
  return (['accountId', 'kind', 'debit', 'amount', 'requestId'] as const).every((name) => known[name] === wanted[name]);
}

function checkedText(text: string, field: string, longest: number): string {
  if (text.trim() !== '' && text.length <= longest && !text.includes('\0') && text.isWellFormed()) return text;
  throw new AppError('invalid_request', `${field}: must have 1 to ${longest} characters.`);
}

/** The statement as a whole was refused: the transfer of this key is there already. */
function isTaken(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'ledger_transfer_key_unique';
}
