import type { Connections } from '../database/connections.ts';
import type { Log } from '../platform/logging/log.ts';
import type { Slice } from '../platform/slice.ts';
import { AccountUsageResolver } from './account-usage.resolver.ts';
import { AccountUsageReader } from './account-usage.ts';
import { AccountExports } from './export/account-export.ts';
import { KeyUsageReader } from './key-usage.ts';
import { ReportRollUp } from './report-roll-up.job.ts';
import { UsageHistoryResolver } from './usage-history.resolver.ts';
import { UsageHistory } from './usage-history.ts';
import { UsageSummaryResolver } from './usage-summary.resolver.ts';

export interface OpenedUsage extends Slice, AsyncDisposable {
  readonly exports: AccountExports;
}

/** What accounts used: counted by day, read by those who may. */
export function openUsage(connections: Connections, log: Log): OpenedUsage {
  const { url, background, reports, reportsReady } = connections;
  const rollUp = new ReportRollUp(background, log);
  return {
    exports: new AccountExports({ url, leases: background }),
    resolvers: [
      new AccountUsageResolver(new AccountUsageReader(reports, reportsReady)),
      new UsageHistoryResolver(new UsageHistory(reports, reportsReady)),
      new UsageSummaryResolver({ pool: reports, ready: reportsReady }, new KeyUsageReader(reports, reportsReady)),
    ],
    jobs: [rollUp],
    workerJobs: [],
    [Symbol.asyncDispose]: () => rollUp[Symbol.asyncDispose](),
  };
}
