import { chargesByRows } from '../../../test/house/usage-by-rows.ts';
import type { Pool } from '../../src/database/pool.ts';
import { COUNTS, ENDED, ERRORS, SINCE, USD } from './operator-facts.ts';
import { balanceFacts } from './owner-facts.ts';

/** What the console shows of one engine and of one account, counted from attempts and requests, without any roll-up. */

const NANO = 1e9;
const OF_ENGINE = `a.engine = $2 and ${COUNTS} and ${ENDED} >= ${SINCE}`;

/** How runs on an engine ended badly in the last hours, each ending by itself. */
export async function endingFacts(pool: Pool, engine: string, hours: number) {
  const { rows: endings } = await pool.query(
    `select outcome, provider_fault as "providerFault", count(*)::float8 as runs, ${ERRORS} > 0 as "isEngineError",
       max(${ENDED}) as "lastAt"
     from attempt a where ${OF_ENGINE} and outcome not in ('ok', 'cancelled') group by 1, 2`,
    [hours, engine],
  );
  const { rows } = await pool.query(
    `select count(*)::float8 as runs,
       (select coalesce(sum(calls), 0)::float8 from refused_hour f where f.engine = $2 and f.status = 503
          and f.hour >= ${SINCE}) as unavailable
     from attempt a where ${OF_ENGINE}`,
    [hours, engine],
  );
  return { ...rows[0], endings: endings.map(({ lastAt, ...ending }) => ({ ...ending, lastAt: lastAt.toISOString() })) };
}

/** What an engine's runs brought in, and what of their cost was told; `cost` is what a page costs by the catalogue. */
export async function engineMoneyFacts(pool: Pool, engine: string, hours: number) {
  const { rows } = await pool.query(
    `with mine as (select * from attempt a where ${OF_ENGINE})
     select count(*)::float8 as runs, coalesce(sum(pages), 0)::float8 as pages,
       count(*) filter (where billing = 'pending')::float8 as "pendingRuns",
       coalesce(sum(cost) filter (where billing = 'settled' or billing = 'verified'), 0)::float8 as reported,
       (select coalesce(sum(cost), 0)::float8 from ocr_request r where r.finished_at is not null and r.engine = $2
          and exists (select from mine where mine.request_id = r.id)) as charged
     from mine`,
    [hours, engine],
  );
  return rows[0];
}

/** Each account with what it used in so many days (UTC) up to today, and what it has. */
export async function accountFacts(pool: Pool, days: number) {
  const { rows } = await pool.query(
    `select account.id, coalesce(used.requests, 0) as requests, ${USD('used.cost')} as cost
     from account left join (
       select account_id, count(*)::float8 as requests, sum(cost) as cost from ocr_request
       where finished_at is not null
         and (created_at at time zone 'UTC')::date > (now() at time zone 'UTC')::date - $1::int
       group by 1
     ) used on used.account_id = account.id
     order by account.id`,
    [days],
  );
  return Promise.all(
    rows.map(async (row) => {
      const [charges, balance] = [await chargesByRows(pool, row.id, days), await balanceFacts(pool, row.id)];
      return { ...row, ...balance, costByDay: charges.map((cost) => Number(cost) / NANO) };
    }),
  );
}

/** What an account's keys were used for on the last thirty days (UTC), with the pages. */
export async function keyPageFacts(pool: Pool, accountId: string) {
  const { rows } = await pool.query(
    `select k.id, count(r.id)::float8 as requests, coalesce(sum(r.pages), 0)::float8 as pages, ${USD('sum(r.cost)')} as spent
     from api_key k left join ocr_request r on r.key_id = k.id and r.finished_at is not null
       and (r.created_at at time zone 'UTC')::date > (now() at time zone 'UTC')::date - 30
     where k.account_id = $1 group by k.id order by k.id`,
    [accountId],
  );
  return rows;
}

/** The newest request of each status, with and without a confidence and a time of fetching, with what its panel shows. */
export async function panelFacts(pool: Pool) {
  const { rows } = await pool.query(
    `with chosen as (
       select distinct on (status, document_ms is null, confidence is null) * from ocr_request
       order by status, document_ms is null, confidence is null, id desc
     )
     select r.id, r.pages, r.pages_total as "pagesTotal", ${USD('r.cost')} as cost, ${USD('r.hold')} as hold, r.starts,
       r.provider_latency_ms as "providerLatencyMs", r.document_ms as "documentMs", r.render_ms as "renderMs", r.confidence,
       (select coalesce(json_agg(json_build_object('number', number, 'pages', pages, 'pagesTried', pages_tried,
          'providerLatencyMs', provider_latency_ms, 'cost', ${USD('cost')}) order by number), '[]')
        from attempt where request_id = r.id) as attempts,
       (select coalesce(json_agg(json_build_object('kind', kind, 'amount', ${USD('amount')}) order by id), '[]')
        from ledger_transfer where request_id = r.id) as transfers,
       (select coalesce(json_agg(json_build_object('number', number, 'providerLatencyMs', provider_latency_ms,
          'cost', ${USD('cost')}) order by number), '[]') from ocr_page where request_id = r.id) as "pageResults"
     from chosen r order by r.id`,
  );
  return rows;
}
