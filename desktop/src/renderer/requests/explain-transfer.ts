interface Transfer {
  readonly kind: string;
  readonly debit: string;
  readonly credit: string;
  readonly attemptId?: string | null;
}

const SIDES: Record<string, string> = {
  wallet: 'wallet',
  cash: 'top-up',
  revenue: 'revenue',
  provider_cost: 'provider cost',
  receivable: 'owed',
  adjustment: 'correction',
  refund: 'refunds',
};

/** What a line of the ledger is about, as a sentence for people. */
export function explainTransfer({ kind, debit, attemptId }: Transfer): string {
  const from =
    debit === 'receivable' ? 'noted as owed, because the balance did not cover it' : 'taken from the balance';
  switch (kind) {
    case 'charge':
      return `The price of the pages, ${from}.`;
    case 'provider_cost':
      return attemptId
        ? `A provider’s late bill for a failed attempt, at cost, ${from}.`
        : `What a failed attempt cost at its provider, without markup, ${from}.`;
    case 'top_up':
      return 'Credit that was added.';
    case 'collected':
      return 'An owed amount, paid from what was released.';
    case 'adjustment':
      return debit === 'wallet' ? 'A correction: taken from the balance.' : 'A correction: added to the balance.';
    case 'refund':
      return 'A refund of what the request was charged.';
    case 'written_off':
      return 'An owed amount that is not asked for any more: the account came to its end.';
    default:
      return kind;
  }
}

/** `wallet → revenue`. */
export function transferSides({ debit, credit }: Transfer): string {
  return `${SIDES[debit] ?? debit} → ${SIDES[credit] ?? credit}`;
}

interface Charged {
  readonly status: string;
  readonly cost: number;
  readonly hold: number;
}

/** What became of the money that acceptance reserved, in one sentence without figures of its own. */
export function explainHold({ status, cost, hold }: Charged): string {
  if (status === 'queued' || status === 'processing') return 'Reserved until the request ends.';
  if (cost === 0) return hold === 0 ? 'Nothing was reserved, nothing was charged.' : 'All of it was given back.';
  if (cost > hold) return 'All of it was charged, and more.';
  return cost === hold ? 'All of it was charged.' : 'The rest of it was given back.';
}
