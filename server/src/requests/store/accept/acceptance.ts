import { type BudgetLeft, fitsBudget } from '../../../billing/limits/key-budgets.ts';
import { AppError } from '../../../platform/errors.ts';
import type { NanoUsd } from '../../../platform/money.ts';
import type { OcrRequest } from '../../model/ocr-request.ts';

/** A request to accept, and how. */
export interface Candidate {
  readonly request: OcrRequest;
  readonly hold: NanoUsd;
  /** The document to store with the request; null for a URL, and where the process that starts the work has it. */
  readonly bytes: Buffer | null;
  /** Whether a token-priced engine may read it: it is refused while the account owes anything. */
  readonly tokenPriced: boolean;
  /** Whether its key may have a spending limit, which acceptance then checks. */
  readonly isLimited: boolean;
  /** Whether this process starts the work at once: acceptance then takes the lease, too. */
  readonly starts: boolean;
  /** Where it joins the queue; see queue-levels.ts. Null for what starts at once. */
  readonly level: number | null;
}

export type Acceptance =
  /** `isOurs`: nothing has happened to it since this acceptance, so this process has to start the work or to hint at it. */
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
  /** Null where the statement did not get the wallet: it is `locked`, or there is none. */
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

/** `again`: neither accepted nor refused, to be sent once more. `locked`: another session holds the wallet. */
export type AcceptanceAnswer = Acceptance | 'again' | 'locked';

/** What the statement has left for a candidate, and the owner of the leases that it has taken. */
export interface Left {
  /** Of the wallet. */
  readonly left: NanoUsd;
  /** Of the limit of its key. */
  readonly budget: BudgetLeft | null;
  readonly owner: string;
}

/**
 * What the statement's row means. A candidate that was left out although its hold would fit (it stood behind a larger one, or
 * lost a race for its key) is answered with `again`, so that no refusal is wrong.
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

/** Whether a request that an earlier try has accepted is still as acceptance has left it. */
function isAsAccepted({ starts }: Candidate, { status, fence, lease_owner }: AcceptanceRow, owner: string): boolean {
  return starts ? status === 'processing' && fence === 1 && lease_owner === owner : status === 'queued' && fence === 0;
}
