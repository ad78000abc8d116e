import type { MoneyFlow } from '../billing/money-flow.ts';
import type { Pool } from '../database/pool.ts';
import type { Overview } from './overview.type.ts';
import { periodFigures } from './period-figures.ts';
import type { RefusalStore } from './refusals/refusal-store.ts';
import { windowStart } from './series/engine-window.ts';

/** The figures of the console's first page, over all engines, in four statements. */
export async function overview(
  deps: {
    readonly pool: Pool;
    readonly money: MoneyFlow;
    readonly refusals: RefusalStore;
  },
  engineIds: readonly string[],
  { hours, now }: { hours: number; now: Date },
): Promise<Overview> {
  const since = windowStart(hours, now);
  const [figures, { owed }, totals] = await Promise.all([
    periodFigures(deps, engineIds, { since, until: null }),
    deps.money.open(),
    deps.refusals.totals(since),
  ]);
  const refused = totals.reduce((sum, { calls }) => sum + calls, 0);
  return { hours, since, refused, ...figures, owed };
}
