import type pg from 'pg';
import { MIGRATIONS_TABLE } from '../../database/upgrade/migration-script.ts';

/** A table whose rows a backup has, and the columns in the order in which it has them. */
export interface TableContents {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Rows that mean nothing elsewhere: which processes live, texts on their way to callers who wait (those of accounts
 * without history, too), alerts on their way to channels, which a copy would send again, and the schema's own record,
 * which stands in the header.
 */
const LEFT_OUT = ['alert_delivery', 'lease_holder', 'passing_text', MIGRATIONS_TABLE];

/** Tables in which the migrations put a row: an empty database has it. */
export const FILLED_BY_MIGRATIONS = ['roll_up_mark', 'queue_sampler', 'usage_mark', 'money_mark', 'idempotency_mark'];

/** Tables that survive a crash of the database, those first that others refer to; of a partitioned one, it and not its parts. */
const TABLES = `
  with recursive present as (
    select c.oid, c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p'
  ),
  reference as (
    select distinct k.conrelid as child, k.confrelid as parent from pg_constraint k
    where k.contype = 'f' and k.conrelid <> k.confrelid
  ),
  depth as (
    select oid, 0 as n from present
    union
    select r.child, d.n + 1 from depth d join reference r on r.parent = d.oid where d.n < 100
  )
  select p.name, (
    select array_agg(a.attname::text order by a.attnum) from pg_attribute a
    where a.attrelid = p.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from present p join depth d on d.oid = p.oid
  where not p.name = any($1) group by p.oid, p.name order by max(d.n), p.name`;

export async function readTables(client: pg.Client): Promise<TableContents[]> {
  return (await client.query<{ name: string; columns: string[] }>(TABLES, [LEFT_OUT])).rows;
}

/** Tables with rows that no migration made. */
export async function tablesInUse(client: pg.Client): Promise<string[]> {
  const used: string[] = [];
  for (const { name } of await readTables(client)) {
    if (FILLED_BY_MIGRATIONS.includes(name)) continue;
    const { rowCount } = await client.query(`select from ${client.escapeIdentifier(name)} limit 1`);
    if (rowCount !== 0) used.push(name);
  }
  return used;
}

/** Where a sequence goes on. */
export interface SequenceState {
  readonly name: string;
  readonly lastValue: string;
  readonly isCalled: boolean;
}

const SEQUENCES = `
  select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'S' and relname not like '${MIGRATIONS_TABLE}%'
  order by 1`;

export async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(SEQUENCES);
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const answer = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${client.escapeIdentifier(name)}`,
    );
    states.push(...answer.rows.map((state) => ({ name, ...state })));
  }
  return states;
}

/** Transfers of a kind, and what they move together. */
export interface LedgerSum {
  readonly kind: string;
  readonly transfers: string;
  readonly nanoUsd: string;
}

const LEDGER = `
  select kind, count(*)::text as transfers, sum(amount)::text as "nanoUsd" from ledger_transfer group by kind order by kind`;

export async function readLedgerSums(client: pg.Client): Promise<LedgerSum[]> {
  return (await client.query<LedgerSum & pg.QueryResultRow>(LEDGER)).rows;
}

/** What has not ended. */
export interface InFlight {
  readonly requests: number;
  readonly deliveries: number;
}

const IN_FLIGHT = `
  select (select count(*)::int from ocr_request where finished_at is null) as requests,
    (select count(*)::int from webhook_delivery where status = 'pending') as deliveries`;

export async function readInFlight(client: pg.Client): Promise<InFlight> {
  const [row] = (await client.query<InFlight & pg.QueryResultRow>(IN_FLIGHT)).rows;
  if (!row) throw new Error('an aggregate answers one row');
  return row;
}
