import { type Pool, queryOne } from '../../database/pool.ts';
import type { Engine } from '../../engines/model/engine.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { COUNTED } from './attempt-sql.ts';
import type { EngineMoney } from './engine-money.type.ts';

/** Most runs of an engine that are looked at, the newest, so that the time for it does not grow with the table. */
export const MONEY_AMONG = 20_000;

/** $1 engine, $2 since. The newest first, by `attempt_engine_index`; which of them are of the time is judged afterwards. */
const MONEY = {
  name: 'engine-money',
  text: `
  with newest as materialized (
    select request_id, billing, cost, coalesce(pages, 0) as pages, coalesce(finished_at, started_at) as ended_at
    from attempt where engine = $1 and ${COUNTED} order by recorded_xid desc limit ${MONEY_AMONG}
  ),
  mine as materialized (select * from newest where ended_at >= $2)
  select count(*)::float8 as runs, coalesce(sum(pages), 0)::float8 as pages,
    coalesce(sum(cost) filter (where billing in ('settled', 'verified')), 0)::bigint as reported,
    count(*) filter (where billing = 'pending')::float8 as "pendingRuns",
    (select count(*) = ${MONEY_AMONG} and coalesce(min(ended_at) >= $2, false) from newest) as "isCut",
    (select coalesce(sum(r.cost), 0)::bigint from ocr_request r
     where r.id = any(array(select request_id from mine)) and r.engine = $1 and r.finished_at is not null) as charged
  from mine`,
};

interface Sums {
  readonly runs: number;
  readonly pages: number;
  readonly reported: NanoUsd;
  readonly pendingRuns: number;
  readonly isCut: boolean;
  readonly charged: NanoUsd;
}

type Priced = Pick<Engine, 'id' | 'tokenPrices' | 'providerCostPerPage'> & { readonly isLocal: boolean };

/** What an engine brought in since a time, and what its provider bills for it. */
export async function engineMoney(pool: Pool, engine: Priced, since: Date): Promise<EngineMoney> {
  const sums = await queryOne<Sums>(pool, MONEY, [engine.id, since]);
  const { runs, pages, pendingRuns, isCut, charged } = sums;
  const providerCost = providerCostOf(engine, sums);
  return {
    ...{ since, runs, pages, pendingRuns, isCut, charged, providerCost },
    providerCostPerPage: engine.providerCostPerPage,
    margin: providerCost === null ? null : charged - providerCost,
  };
}

/**
 * The provider's cost: what it reported, and the catalogue's price for pages that it bills by the page. Tokens are reported for
 * pages that were read, too. Null where a part is unknown.
 */
export function providerCostOf(
  { tokenPrices, providerCostPerPage, isLocal }: Omit<Priced, 'id'>,
  { pages, reported, pendingRuns }: Pick<Sums, 'pages' | 'reported' | 'pendingRuns'>,
): NanoUsd | null {
  if (pendingRuns > 0) return null;
  if (isLocal || tokenPrices !== null || pages === 0) return reported;
  return providerCostPerPage === null ? null : reported + providerCostPerPage * BigInt(pages);
}
