interface Charged {
  readonly finishedAt: string | null;
  readonly cost: number;
  readonly transfers: readonly { readonly kind: string; readonly amount: number }[];
}

const NANO = 1_000_000_000;

/** What is left to give back of a request, in USD; 0 while it has not ended. To the nano-dollar, as the ledger counts. */
export function refundable({ finishedAt, cost, transfers }: Charged): number {
  if (finishedAt === null) return 0;
  const refunded = transfers.filter(({ kind }) => kind === 'refund').reduce((sum, { amount }) => sum + nano(amount), 0);
  return Math.max(0, nano(cost) - refunded) / NANO;
}

function nano(usd: number): number {
  return Math.round(usd * NANO);
}
