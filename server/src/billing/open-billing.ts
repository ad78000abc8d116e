import type { Connections } from '../database/connections.ts';
import type { Slice } from '../platform/slice.ts';
import { BillingResolver } from './billing.resolver.ts';
import { Corrections } from './corrections.ts';
import { Ledger } from './ledger.ts';
import { LedgerProof } from './ledger-proof.ts';
import { LowBalance } from './low-balance.ts';
import { MoneyResolver } from './money.resolver.ts';
import { PendingCosts } from './pending-costs.ts';
import { WalletReader } from './wallet-reader.ts';

export interface OpenedBilling extends Slice {
  readonly ledger: Ledger;
}

/** Balances, transfers, and what operators correct. */
export function openBilling({ url, hot, reports }: Connections): OpenedBilling {
  const ledger = new Ledger(hot);
  return {
    ledger,
    resolvers: [
      new BillingResolver(ledger),
      new MoneyResolver(
        new WalletReader(reports),
        new PendingCosts(hot),
        new Corrections(hot),
        new LedgerProof(url),
        new LowBalance(hot),
      ),
    ],
    jobs: [],
    workerJobs: [],
  };
}
