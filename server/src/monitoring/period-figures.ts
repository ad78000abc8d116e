import type { MoneyFlow } from '../billing/money-flow.ts';
import type { Pool } from '../database/pool.ts';
import type { PeriodComparison, PeriodFigures } from './period-figures.type.ts';
import { countedRuns, figures, windowStart } from './series/engine-window.ts';
import type { Histogram } from './series/latency-scale.ts';
import { KEEP_HOURS } from './series/roll-up.ts';
import type { WorkFigures } from './work-figures.type.ts';

interface Period {
  readonly since: Date;
  /** End of the period; null for up to now. */
  readonly until: Date | null;
}

interface Deps {
  readonly pool: Pool;
  readonly money: MoneyFlow;
}

/** What all engines did and what callers were charged between two starts of hours, in two statements. */
export async function periodFigures(
  { pool, money }: Deps,
  engineIds: readonly string[],
  period: Period,
): Promise<WorkFigures> {
  const [runs, { spent, chargedOnFailures }] = await Promise.all([
    countedRuns(pool, engineIds, period),
    money.moved(period),
  ]);
  const requests = runs.reduce((sum, engine) => sum + engine.requests, 0);
  const failed = runs.reduce((sum, { errors }) => sum + errors, 0);
  const rates = figures(requests, failed, merged(runs.map(({ histogram }) => histogram)));
  return { requests, failed, ...rates, spent, chargedOnFailures };
}

/** Compares the last `hours` whole hours with as many before them. The current hour is in neither, so both are equally long. */
export async function comparePeriods(
  deps: Deps,
  engineIds: readonly string[],
  { hours, now }: { hours: number; now: Date },
): Promise<PeriodComparison> {
  const of = async (back: number): Promise<PeriodFigures> => {
    const since = windowStart(hours * (back + 1), now);
    const until = windowStart(hours * back, now);
    return { since, until, ...(await periodFigures(deps, engineIds, { since, until })) };
  };
  const [latest, before] = await Promise.all([of(0), 2 * hours > KEEP_HOURS ? null : of(1)]);
  return { hours, latest, before };
}

function merged(histograms: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const [step, count] of histograms.flat()) counts.set(step, (counts.get(step) ?? 0) + count);
  return [...counts].sort(([a], [b]) => a - b);
}
