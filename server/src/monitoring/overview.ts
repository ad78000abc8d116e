import type { MoneyFlow } from '../billing/money-flow.ts';
import type { Pool } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import type { Overview } from './overview.type.ts';
import type { RefusalStore } from './refusals/refusal-store.ts';
import { engineWindows, figures, windowStart } from './series/engine-window.ts';
import type { Histogram } from './series/latency-scale.ts';

/** The sentences of the console's first page, over all engines: four statements. */
export async function overview(
  deps: {
    readonly pool: Pool;
    readonly ready: ReportsReady;
    readonly money: MoneyFlow;
    readonly refusals: RefusalStore;
  },
  engineIds: readonly string[],
  { hours, now }: { hours: number; now: Date },
): Promise<Overview> {
  const since = windowStart(hours, now);
  const [windows, flow, totals] = await Promise.all([
    engineWindows(deps, engineIds, { hours, now }),
    deps.money.since(since),
    deps.refusals.totals(since),
  ]);
  const refused = totals.reduce((sum, { calls }) => sum + calls, 0);
  const requests = windows.reduce((sum, window) => sum + window.requests, 0);
  const failed = windows.reduce((sum, window) => sum + window.errors, 0);
  const { spent, chargedOnFailures, owed } = flow;
  const rates = figures(requests, failed, merged(windows.map(({ histogram }) => histogram)));
  return { hours, since, requests, failed, refused, ...rates, spent, chargedOnFailures, owed };
}

function merged(histograms: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const [step, count] of histograms.flat()) counts.set(step, (counts.get(step) ?? 0) + count);
  return [...counts].sort(([a], [b]) => a - b);
}
