import { type BudgetLeft, fitsBudget } from '../../../billing/limits/key-budgets.ts';
import { AppError } from '../../../platform/errors.ts';
import type { NanoUsd } from '../../../platform/money.ts';
import type { OcrRequest } from '../../model/ocr-request.ts';

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

export type Acceptance =
  /** `isOurs`: it is as this acceptance has left it, and this process starts the work or announces it. */
  | { readonly kind: 'accepted'; readonly isOurs: boolean }
  /** The account's key is bound already, to this request. */
  | { readonly kind: 'known'; readonly requestId: string }
  | { readonly kind: 'refused'; readonly reason: 'balance' | 'owed'; readonly available: NanoUsd }
  | { readonly kind: 'refused'; readonly reason: 'closed' }
  | { readonly kind: 'refused'; readonly reason: 'limit'; readonly budget: BudgetLeft };

/** What the statement says of a candidate. */
export interface AcceptanceRow {
  n: number;
  known_id: string | null;
  status: string | null;
  fence: number | null;
  lease_owner: string | null;
  accepted: boolean;
  /** Null while the wallet is not ours: `locked`, or there is none. */
  available: bigint | null;
  owed: bigint;
  /** Its account has ended. */
  closed: boolean;
  locked: boolean;
  /** Null, or absent, where its key has no limit. */
  limit_amount?: NanoUsd | null;
  limit_period?: BudgetLeft['period'];
  limit_ends_at?: Date | null;
  limit_left?: NanoUsd | null;
}

/** `again`: nothing came of it, it goes into the next statement. `locked`: another session holds the wallet. */
export type AcceptanceAnswer = Acceptance | 'again' | 'locked';

/** What the statement left of the wallet, and of the limit of its key; and by whom it was sent. */
export interface Left {
  readonly left: NanoUsd;
  readonly budget: BudgetLeft | null;
  readonly owner: string;
}

/**
 * What the statement's row means. A candidate that was passed over although its hold would fit (it stood behind a
 * larger one, or lost a race for its key) tries again: each refusal is exact.
 */
export function judgeAcceptance(
  candidate: Candidate,
  row: AcceptanceRow,
  { left, budget, owner }: Left,
): AcceptanceAnswer {
  if (row.known_id === candidate.request.id) return { kind: 'accepted', isOurs: isAsAccepted(candidate, row, owner) };
  if (row.closed) return { kind: 'refused', reason: 'closed' };
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

export function budgetOf(row: AcceptanceRow, remaining: NanoUsd): BudgetLeft | null {
  const { limit_amount: amount, limit_period: period, limit_ends_at: endsAt = null } = row;
  return amount == null || period === undefined ? null : { amount, period, endsAt, remaining };
}

/** Whether a request that was accepted earlier is still where acceptance has put it. */
function isAsAccepted({ starts }: Candidate, { status, fence, lease_owner }: AcceptanceRow, owner: string): boolean {
  return starts ? status === 'processing' && fence === 1 && lease_owner === owner : status === 'queued' && fence === 0;
}
