import { DIVIDED_TABLES } from '../../database/months/month-parts.ts';
import { type Pool, query, queryOne } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';

/** A month of a divided table, or all that was before its months: requests from `low` up to, not including, `high`. */
export interface OldPart {
  readonly table: string;
  readonly part: string;
  readonly low: string;
  readonly high: string;
}

const PARTS = {
  name: 'archive-parts',
  text: `select w.relname::text as "table", c.relname::text as part,
    coalesce(substring(b.bound from 'FROM [(]''([^'']*)''[)]'), '') as low, substring(b.bound from ' TO [(]''([^'']*)''[)]') as high
  from pg_class w join pg_inherits i on i.inhparent = w.oid join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where w.oid = any(array['${DIVIDED_TABLES.join("', '")}']::regclass[]) and b.bound <> 'DEFAULT'
    and substring(b.bound from ' TO [(]''([^'']*)''[)]') <= $1
  order by high, "table"`,
};

/** Parts whose requests were all accepted before the one with this lowest id, oldest first. */
export function oldParts(pool: Pool, before: string): Promise<OldPart[]> {
  return query<OldPart>(pool, PARTS, [before]);
}

const DETACHED = {
  name: 'archive-detached',
  text: 'select table_name as "table", part, low, high from archived_part where file is null order by high, part',
};

/** Parts that were taken out of their tables, and have no file yet: what did that has ended before. */
export function detachedParts(pool: Pool): Promise<OldPart[]> {
  return query<OldPart>(pool, DETACHED, []);
}

const OBSTACLES = {
  name: 'archive-obstacles',
  text: `select
    exists (select from ocr_request where status = 'queued' and id >= $1 and id < $2)
      or exists (select from ocr_request where status = 'processing' and id >= $1 and id < $2) as open,
    exists (select from attempt where billing = 'pending' and request_id >= $1 and request_id < $2) as pending,
    exists (select from attempt where request_id >= $1 and request_id < $2
      and recorded_xid >= (select recorded_before from roll_up_mark)) as uncounted`,
};

/** More are not counted. */
export const MOST_KEPT = 10_001;

const KEPT = {
  name: 'archive-kept',
  text: `select count(*)::int as n from (
    select from ocr_request where id >= $1 and id < $2 and deleted_at is null limit ${MOST_KEPT}) kept`,
};

/** Throws where rows of these requests may still change, or are still to be counted. */
export async function requireOver(pool: Pool, { part, low, high }: OldPart): Promise<void> {
  type Row = Record<'open' | 'pending' | 'uncounted', boolean>;
  const row = await queryOne<Row>(pool, OBSTACLES, [low, high]);
  if (row.open) throw refusal(part, 'a request of it has not ended: cancel it, or wait');
  if (row.pending) throw refusal(part, 'costs of it are pending: see `billing pending`, and tell what they were');
  if (row.uncounted) throw refusal(part, 'attempts of it are not counted yet: a worker counts them within seconds');
}

/** How many of these requests have something that deletion takes, up to `MOST_KEPT`. */
export async function keptRequests(pool: Pool, { low, high }: OldPart): Promise<number> {
  return (await queryOne<{ n: number }>(pool, KEPT, [low, high])).n;
}

/** Why a part stays where it is; those before it are archived. */
export function refusal(part: string, why: string): AppError {
  return new AppError('invalid_request', `${part} is not archived: ${why}.`);
}

const OWNED = {
  name: 'archive-owned',
  text: `select bool_and(pg_has_role(current_user, relowner, 'usage')) as owned
    from pg_class where oid = any(array['${DIVIDED_TABLES.join("', '")}']::regclass[])`,
};

/** Whether the role of this connection owns the divided tables, without which none of their parts can be taken out. */
export async function ownsParts(pool: Pool): Promise<boolean> {
  return (await queryOne<{ owned: boolean | null }>(pool, OWNED, [])).owned === true;
}
