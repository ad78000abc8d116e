import { type Pool, query } from '../database/pool.ts';
import { isStorable } from '../database/storable.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type NanoUsd, toUsd } from '../platform/money.ts';
import { ADJUST_DOWN, ADJUST_UP, BY_KEY, CHARGED, CLOSE, REFUND, TOP_UP, WRITE_OFF } from './corrections-sql.ts';
import type { Balance } from './wallets.ts';

/** The idempotency key of a transfer: the same key again changes nothing. Null for a transfer without one. */
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

  /** Closes the wallet: no request of the account is accepted any more. Open ones are settled as ever. */
  async close(accountId: string): Promise<void> {
    await query(this.#pool, CLOSE, [accountId]);
  }

  /** Writes off what the account owes; answers how much that was. */
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

  /**
   * Makes a change once for its key. For a key that is taken it answers the balance, or throws where the key was for another
   * transfer.
   */
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
      // Another call with this key may be faster: then the change does not fit any more, or its key is taken.
      return (await repeated()) ?? (await change(key)) ?? (await repeated());
    } catch (error) {
      if (!isTaken(error)) throw error;
      return repeated();
    }
  }

  async #change(statement: typeof TOP_UP, values: readonly unknown[]): Promise<Balance | null> {
    const [row] = await query<Balance>(this.#pool, statement, values);
    return row ?? null;
  }

  async #balance(accountId: string): Promise<Balance | null> {
    return this.#change(BALANCE, [accountId]);
  }

  /** Earlier versions stored a key behind its account's id. */
  async #byKey(accountId: string, key: string): Promise<Omit<Transfer, 'key'> | null> {
    const forms = [checkedText(key, 'idempotencyKey', LONGEST_KEY), `${accountId} ${key}`];
    const [row] = await query<Omit<Transfer, 'key'>>(this.#pool, BY_KEY, [forms]);
    return row ?? null;
  }

  async #charged(requestId: string): Promise<Charged> {
    const [row] = await query<Charged>(this.#pool, CHARGED, [requestId]);
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

/** What a key is bound to. The reason is no part of it. */
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
  if (text.trim() !== '' && text.length <= longest && isStorable(text)) return text;
  throw new AppError('invalid_request', `${field}: must have 1 to ${longest} characters.`);
}

/** Whether the statement failed because a transfer with this key exists. */
function isTaken(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'ledger_transfer_key_unique';
}
