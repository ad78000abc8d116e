import type { KeyStore } from '../accounts/store/key-store.ts';
import type { Connections } from '../database/connections.ts';
import type { Slice } from '../platform/slice.ts';
import { BillingResolver } from './billing.resolver.ts';
import { Corrections } from './corrections.ts';
import { KeyBudgetsResolver } from './key-budgets.resolver.ts';
import { Ledger } from './ledger.ts';
import { LedgerProof } from './ledger-proof.ts';
import { KeyBudgets } from './limits/key-budgets.ts';
import { LowBalance } from './low-balance.ts';
import { MoneyResolver } from './money.resolver.ts';
import { PendingCosts } from './pending-costs.ts';
import { WalletReader } from './wallet-reader.ts';

export interface OpenedBilling extends Slice {
  readonly ledger: Ledger;
  readonly budgets: KeyBudgets;
}

/** Balances, transfers, and what operators correct. */
export function openBilling({ url, hot, reports }: Connections, keys: KeyStore): OpenedBilling {
  const ledger = new Ledger(hot);
  const budgets = new KeyBudgets(hot);
  return {
    ledger,
    budgets,
    resolvers: [
      new BillingResolver(ledger),
      new MoneyResolver(
        new WalletReader(reports),
        new PendingCosts(hot),
        new Corrections(hot),
        new LedgerProof(url),
        new LowBalance(hot),
      ),
      new KeyBudgetsResolver(budgets, keys),
    ],
    jobs: [],
    workerJobs: [],
  };
}
