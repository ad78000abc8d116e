import { Migration } from '@mikro-orm/migrations';

/** Counts of what engines did: of all time, by hour, by day; and whose turn it is to probe. */
export class Migration20261121040000_roll_ups extends Migration {
  override up(): void {
    // The transaction that wrote a row tells which rows a roll-up has seen: it is fixed even when the row changes later.
    this.addSql(`alter table attempt add column recorded_xid xid8 not null default '0'`);
    this.addSql('alter table attempt alter column recorded_xid set default pg_current_xact_id()');
    this.addSql('drop index attempt_engine_index');
    // The predicate is spelled as in monitoring/series/attempt-sql.ts, so that the planner finds that it applies.
    this.addSql(`create index attempt_engine_index on attempt (engine, recorded_xid)
                 where outcome is not null and outcome not in ('unreadable', 'lost')`);

    this.addSql(`
      create table roll_up_mark (
        only_one boolean primary key default true,
        recorded_before xid8 not null,
        constraint roll_up_mark_only_one_check check (only_one)
      )`);
    this.addSql(`insert into roll_up_mark (recorded_before) values ('0')`);

    const counts = `
        requests bigint not null,
        pages bigint not null,
        errors bigint not null,
        timed_requests bigint not null,
        latency_sum_ms bigint not null,
        last_used timestamptz not null`;
    this.addSql(`create table engine_total (engine text primary key, ${counts}) with (fillfactor = 50)`);
    this.addSql(`
      create table engine_hour (
        engine text not null,
        hour timestamptz not null,
        requests bigint not null,
        errors bigint not null,
        p50_ms double precision,
        p95_ms double precision,
        p99_ms double precision,
        primary key (engine, hour)
      ) with (fillfactor = 80)`);
    this.addSql(`
      create table engine_hour_latency (
        engine text not null,
        hour timestamptz not null,
        step integer not null,
        requests bigint not null,
        primary key (engine, hour, step)
      ) with (fillfactor = 80)`);

    this.addSql(`
      create table engine_day (
        engine text not null,
        day date not null,
        checks bigint not null,
        healthy bigint not null,
        primary key (engine, day)
      ) with (fillfactor = 80)`);
    this.addSql(`insert into engine_day (engine, day, checks, healthy)
                 select engine, (checked_at at time zone 'UTC')::date, count(*), count(*) filter (where healthy)
                 from engine_check group by 1, 2`);
    this.addSql('alter table engine_check add column cost bigint');
    // Stored as it came: jsonb would refuse what a provider may well say (NUL characters, halves of surrogate pairs).
    this.addSql('alter table engine_check add column usage json');
    this.addSql(`
      create table engine_probe (
        engine text primary key,
        claimed_at timestamptz not null default now(),
        checked_at timestamptz,
        failures integer not null default 0,
        detail text
      ) with (fillfactor = 50)`);
  }
}
