import { Account } from '../accounts/model/account.ts';
import { ACCOUNT_COLUMNS } from '../accounts/store/account-list.ts';
import { cutPage, type PageWish } from '../database/paging/page-info.type.ts';
import { type Pool, query } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import { AppError } from '../platform/errors.ts';
import { isUuid, lowestIdFrom } from '../platform/ids.ts';
import { startOfDay } from '../platform/numbers/times.ts';
import type { AccountOrder, AccountUsage, AccountUsagePage } from './account-usage.type.ts';
import { COLUMNS, DAY, OF_REQUEST, SUMS, UNROLLED_USAGE } from './usage-counts.ts';

const WHOLE = /^-?\d{1,18}$/;

/** What places an account in each order; ids decide between equal ones. */
const PLACES: Readonly<Record<AccountOrder, { readonly sql: string; readonly type: 'text' | 'bigint' }>> = {
  email: { sql: 'lower(a.email)', type: 'text' },
  available: { sql: 'coalesce(w.posted - w.held, 0)', type: 'bigint' },
  owed: { sql: 'coalesce(w.owed, 0)', type: 'bigint' },
  requests: { sql: 'coalesce(used.requests, 0)', type: 'bigint' },
  cost: { sql: 'coalesce(used.cost, 0)', type: 'bigint' },
};

const FIRST_DAY = `($1::timestamptz at time zone 'UTC')::date`;

/** The days that are counted, and what was recorded since. */
const counted = (columns: string, whose: string) => `
  select account_id, day, ${columns} from usage_day where day >= ${FIRST_DAY} ${whose}
  union all
  select account_id, ${DAY} as day, ${columns} from usage_event where ${UNROLLED_USAGE} and hour >= $1 ${whose}`;

/** The same from the requests themselves, as long as they are not all counted. */
const ofRows = (columns: string, whose: string) => `
  select account_id, ${DAY} as day, ${columns} from (
    select ${OF_REQUEST} from ocr_request
    where id >= $8 and created_at >= $1 and finished_at is not null ${whose}) finished`;

/**
 * A page of accounts, and what those of the page used. For an order by what they used, that one figure is summed for all
 * of them before: the sums of twenty thousand accounts then fit into the memory of a statement.
 * $1 since, $2 search, $3 owing, $4 size, $5 whether there is a page before, $6 and $7 where it ended.
 */
function pageOf({ order, descending, isCounted }: Wish & { isCounted: boolean }) {
  const { sql, type } = PLACES[order];
  const isByUsage = order === 'requests' || order === 'cost';
  const [beyond, direction] = descending ? ['<', 'desc'] : ['>', 'asc'];
  const parts = isCounted ? counted : ofRows;
  const ranked = `ranked as (
    select account_id, sum(${order})::bigint as ${order} from (${parts(order, '')}) parts group by account_id)`;
  const page = `page as materialized (
    select ${ACCOUNT_COLUMNS}, ${sql} as place
    from account a left join wallet w on w.account_id = a.id ${isByUsage ? 'left join ranked used on used.account_id = a.id' : ''}
    where ($2::text is null or strpos(lower(a.email), lower($2)) > 0) and (not $3::boolean or w.owed > 0)
      and (not $5::boolean or (${sql}, a.id) ${beyond} ($6::${type}, $7::uuid))
    order by ${sql} ${direction}, a.id ${direction} limit $4)`;
  return {
    name: `account-usage-${order}-${direction}-${isCounted ? 'counted' : 'rows'}`,
    text: `
    with ${isByUsage ? `${ranked}, ` : ''}${page}, used_by_day as (
      select account_id, day, ${SUMS} from (
        ${parts(COLUMNS, 'and account_id = any(array(select id from page))')}) parts group by account_id, day),
    used as (
      select account_id, ${SUMS}, array_agg(day - ${FIRST_DAY}) as days, array_agg(cost::text) as costs
      from used_by_day group by account_id)
    select page.*, page.place::text as place, coalesce(used.requests, 0)::float8 as requests,
      coalesce(used.pages, 0)::float8 as pages, coalesce(used.failed, 0)::float8 as failed,
      coalesce(used.cost, 0)::bigint as cost, coalesce(used.days, '{}') as days, coalesce(used.costs, '{}') as costs
    from page left join used on used.account_id = page.id order by page.place ${direction}, page.id ${direction}`,
  };
}

interface Wish {
  readonly order: AccountOrder;
  readonly descending: boolean;
}

/** Which accounts are listed, and since the beginning of which day (UTC) what they used is counted. */
export interface AccountUsageQuery extends Wish {
  readonly search: string | null;
  /** Only those that owe something. */
  readonly owing: boolean;
  readonly days: number;
}

interface Row extends Omit<AccountUsage, 'account' | 'costByDay'> {
  readonly id: string;
  readonly place: string;
  /** Those with usage, counted from the first one, which is 0, and what each of them cost. */
  readonly days: readonly number[];
  readonly costs: readonly string[];
}

/** Accounts with what they used, in any order, page by page. */
export class AccountUsageReader {
  readonly #pool: Pool;
  readonly #ready: ReportsReady;

  constructor(pool: Pool, ready: ReportsReady) {
    this.#pool = pool;
    this.#ready = ready;
  }

  /** An account whose figures change between two pages may stand on both, or on none. */
  async page(asked: AccountUsageQuery, { size, after }: PageWish, now: Date): Promise<AccountUsagePage> {
    const { search, owing, days, order } = asked;
    const since = startOfDay(now, days - 1);
    const ended = after === null ? null : readCursor(after, order);
    const isCounted = await this.#ready.look();
    const values = [
      ...[since, search, owing, size + 1, ended !== null, ended?.place ?? null, ended?.id ?? null],
      ...(isCounted ? [] : [lowestIdFrom(since)]),
    ];
    const rows = await query<Row>(this.#pool, pageOf({ ...asked, isCounted }), values);
    const page = cutPage(rows, { size, after }, ({ place, id }) => `${place} ${id}`);
    const edges = page.edges.map(({ cursor, node }) => ({ cursor, node: toUsage(node, days) }));
    return { nodes: edges.map(({ node }) => node), edges, pageInfo: page.pageInfo };
  }
}

function toUsage(row: Row, days: number): AccountUsage {
  const { place: _, requests, pages, failed, cost, days: used, costs, ...account } = row;
  const costByDay = Array.from({ length: days }, () => 0n);
  for (const [index, day] of used.entries()) if (day < days) costByDay[day] = BigInt(costs[index] ?? 0);
  return { account: Object.assign(new Account(), account), requests, pages, failed, cost, costByDay };
}

function readCursor(cursor: string, order: AccountOrder): { place: string; id: string } {
  const end = cursor.lastIndexOf(' ');
  const [place, id] = [cursor.slice(0, Math.max(0, end)), cursor.slice(end + 1)];
  const isPlace = PLACES[order].type === 'text' || WHOLE.test(place);
  if (end < 0 || !isPlace || !isUuid(id)) throw new AppError('invalid_request', 'after: is not a cursor.');
  return { place, id };
}
