import type { Connections } from '../database/connections.ts';
import type { Log } from '../platform/logging/log.ts';
import type { Slice } from '../platform/slice.ts';
import { KeyUsageReader } from './key-usage.ts';
import { ReportRollUp } from './report-roll-up.job.ts';
import { UsageHistoryResolver } from './usage-history.resolver.ts';
import { UsageHistory } from './usage-history.ts';
import { UsageSummaryResolver } from './usage-summary.resolver.ts';

/** What accounts used: counted by day, read by those who may. */
export function openUsage(connections: Connections, log: Log): Slice & AsyncDisposable {
  const { background, reports, reportsReady } = connections;
  const rollUp = new ReportRollUp(background, log);
  return {
    resolvers: [
      new UsageHistoryResolver(new UsageHistory(reports, reportsReady)),
      new UsageSummaryResolver({ pool: reports, ready: reportsReady }, new KeyUsageReader(reports, reportsReady)),
    ],
    jobs: [rollUp],
    workerJobs: [],
    [Symbol.asyncDispose]: () => rollUp[Symbol.asyncDispose](),
  };
}
