import { type Pool, query } from '../../database/pool.ts';
import type { ReportsReady } from '../../database/reports-ready.ts';
import { lowestId } from '../../platform/ids.ts';
import { UNROLLED_USAGE } from '../../usage/usage-counts.ts';
import type { EngineCharge } from './engine-charges.type.ts';

/** Most days: as long as all hours of a day are kept (`KEEP_HOURS` of the roll-up of usage). */
export const MOST_CHARGED_DAYS = 31;

/** Reads counted hours, and what was recorded since. An hour is that of acceptance. */
const CHARGES = {
  name: 'engine-charges',
  text: `select engine, date_trunc($3, hour, 'UTC') as since, sum(cost)::bigint as spent from (
           select engine, hour, cost from engine_hour_cost where hour >= $2 and engine = any($1::text[])
           union all
           select engine, hour, cost from usage_event
           where ${UNROLLED_USAGE} and hour >= $2 and engine = any($1::text[])
         ) parts group by 1, 2 order by 2`,
};

/** Reads the charges from the requests themselves, as long as these are not all counted. */
const CHARGES_BY_ROWS = {
  name: 'engine-charges-by-rows',
  text: `select engine, date_trunc($3, created_at, 'UTC') as since, sum(cost)::bigint as spent from ocr_request
         where id >= $2 and engine = any($1::text[]) and finished_at is not null group by 1, 2 order by 2`,
};

const STEP_MS = { hour: 3_600_000, day: 86_400_000 };

/**
 * What callers were charged for engines' requests in the last hours or UTC days, with the current one, oldest first, in one
 * statement however many engines. Hours or days without requests are left out.
 */
export async function engineCharges(
  { pool, ready }: { readonly pool: Pool; readonly ready: ReportsReady },
  engineIds: readonly string[],
  { step, many, now }: { step: keyof typeof STEP_MS; many: number; now: Date },
): Promise<EngineCharge[][]> {
  const ms = STEP_MS[step];
  const since = new Date((Math.floor(now.getTime() / ms) - (many - 1)) * ms);
  const [statement, from] = (await ready.look()) ? [CHARGES, since] : [CHARGES_BY_ROWS, lowestId('ocr_', since)];
  const rows = await query<EngineCharge & { engine: string }>(pool, statement, [engineIds, from, step]);
  const ofEngine = Map.groupBy(rows, ({ engine }) => engine);
  return engineIds.map((id) => ofEngine.get(id) ?? []);
}
