import type { MoneyFlow } from '../billing/money-flow.ts';
import type { Pool } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import type { Overview } from './overview.type.ts';
import { engineWindows, figures, windowStart } from './series/engine-window.ts';
import type { Histogram } from './series/latency-scale.ts';

/** The sentences of the console's first page, over all engines: three statements. */
export async function overview(
  deps: { readonly pool: Pool; readonly ready: ReportsReady; readonly money: MoneyFlow },
  engineIds: readonly string[],
  { hours, now }: { hours: number; now: Date },
): Promise<Overview> {
  const since = windowStart(hours, now);
  const [windows, flow] = await Promise.all([engineWindows(deps, engineIds, { hours, now }), deps.money.since(since)]);
  const requests = windows.reduce((sum, window) => sum + window.requests, 0);
  const failed = windows.reduce((sum, window) => sum + window.errors, 0);
  const { spent, chargedOnFailures, owed } = flow;
  const rates = figures(requests, failed, merged(windows.map(({ histogram }) => histogram)));
  return { hours, since, requests, failed, ...rates, spent, chargedOnFailures, owed };
}

function merged(histograms: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const [step, count] of histograms.flat()) counts.set(step, (counts.get(step) ?? 0) + count);
  return [...counts].sort(([a], [b]) => a - b);
}
