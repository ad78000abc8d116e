import type { KeyStore } from '../accounts/store/key-store.ts';
import type { Connections } from '../database/connections.ts';
import type { Slice } from '../platform/slice.ts';
import { BillingResolver } from './billing.resolver.ts';
import { Corrections } from './corrections.ts';
import { KeyBudgetsResolver } from './key-budgets.resolver.ts';
import { LedgerProof } from './ledger-proof.ts';
import { LedgerReader } from './ledger-reader.ts';
import { KeyBudgets } from './limits/key-budgets.ts';
import { LowBalance } from './low-balance.ts';
import { MoneyResolver } from './money.resolver.ts';
import { PendingCosts } from './pending-costs.ts';
import { Wallets } from './wallets.ts';

export interface OpenedBilling extends Slice {
  readonly wallets: Wallets;
  readonly budgets: KeyBudgets;
}

/** Balances, transfers, and what operators correct. */
export function openBilling({ url, hot, reports }: Connections, keys: KeyStore): OpenedBilling {
  const wallets = new Wallets(hot);
  const budgets = new KeyBudgets(hot);
  return {
    wallets,
    budgets,
    resolvers: [
      new BillingResolver(wallets),
      new MoneyResolver(
        new LedgerReader(reports),
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
