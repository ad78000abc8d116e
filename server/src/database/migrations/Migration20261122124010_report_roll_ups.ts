import { Migration } from '@mikro-orm/migrations';

/** Roll-ups: what accounts used, by day; what money moved, by hour; and how far the ledger has been proven. */
export class Migration20261122124010_report_roll_ups extends Migration {
  override up(): void {
    const counts = `
        requests bigint not null,
        pages bigint not null,
        failed bigint not null,
        cost bigint not null,
        failed_cost bigint not null`;

    // What a finished request adds to its account's usage, and takes away again when it changes: written by a trigger,
    // in the transaction of the change, and removed once it is counted in `usage_day`.
    this.addSql(`
      create table usage_event (
        recorded_xid xid8 not null default pg_current_xact_id(),
        request_id text not null,
        account_id uuid not null,
        hour timestamptz not null,
        engine text not null,
        key_id text not null,${counts}
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`);
    // By transaction, so that neither counting nor reading meets what was counted and is not vacuumed yet.
    this.addSql('create index usage_event_recorded_index on usage_event (recorded_xid)');

    // `by_hour` has the requests of each hour of the day, so that a page far back is found without counting rows.
    this.addSql(`
      create table usage_day (
        account_id uuid not null,
        day date not null,
        engine text not null,
        key_id text not null,${counts},
        by_hour bigint[] not null,
        primary key (account_id, day, engine, key_id)
      ) with (fillfactor = 70)`);
    this.addSql(`
      create table usage_total (
        account_id uuid primary key,
        requests bigint not null,
        pages bigint not null,
        cost bigint not null
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table engine_hour_cost (
        engine text not null,
        hour timestamptz not null,
        cost bigint not null,
        primary key (engine, hour)
      ) with (fillfactor = 70)`);
    this.addSql(`
      create table usage_mark (
        only_one boolean primary key default true,
        recorded_before xid8 not null default '0',
        counted_to text not null default '',
        complete boolean not null default false,
        constraint usage_mark_only_one_check check (only_one)
      )`);

    this.addSql(`
      create function record_usage() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          if old.finished_at is not null then
            insert into usage_event (request_id, account_id, hour, engine, key_id, requests, pages, failed, cost, failed_cost)
            values (old.id, old.account_id, date_trunc('hour', old.created_at, 'UTC'), old.engine, coalesce(old.key_id, ''),
              -1, -coalesce(old.pages, 0), -(old.status in ('failed', 'rejected'))::int, -old.cost,
              -old.cost * (old.status in ('failed', 'rejected'))::int);
          end if;
        end if;
        if new.finished_at is not null then
          insert into usage_event (request_id, account_id, hour, engine, key_id, requests, pages, failed, cost, failed_cost)
          values (new.id, new.account_id, date_trunc('hour', new.created_at, 'UTC'), new.engine, coalesce(new.key_id, ''),
            1, coalesce(new.pages, 0), (new.status in ('failed', 'rejected'))::int, new.cost,
            new.cost * (new.status in ('failed', 'rejected'))::int);
        end if;
        return null;
      end $$`);
    this.addSql(`create trigger ocr_request_usage_inserted after insert on ocr_request for each row
                 when (new.finished_at is not null) execute function record_usage()`);
    this.addSql(`
      create trigger ocr_request_usage_changed
      after update of finished_at, status, cost, pages, engine, key_id, account_id, created_at on ocr_request for each row
      when ((old.finished_at is not null or new.finished_at is not null) and
        (old.finished_at is null, old.status, old.cost, old.pages, old.engine, old.key_id, old.account_id, old.created_at)
        is distinct from
        (new.finished_at is null, new.status, new.cost, new.pages, new.engine, new.key_id, new.account_id, new.created_at))
      execute function record_usage()`);
    this.addSql('insert into usage_mark (complete) select not exists (select from ocr_request)');

    // Lists of what went wrong: among millions of successes they would be looked for one by one.
    const unusual = `where status in ('failed', 'rejected', 'partial')`;
    this.addSql(`create index ocr_request_unusual_index on ocr_request (id) ${unusual}`);
    this.addSql(`create index ocr_request_account_unusual_index on ocr_request (account_id, id) ${unusual}`);

    // A constant first, then the transaction's number: the table is not rewritten, and what is there keeps '0'.
    this.addSql(`alter table ledger_transfer add column recorded_xid xid8 not null default '0'`);
    this.addSql('alter table ledger_transfer alter column recorded_xid set default pg_current_xact_id()');
    this.addSql(`create index ledger_transfer_recorded_index on ledger_transfer (recorded_xid)
                 where recorded_xid > '0'`);

    this.addSql(`
      create table money_hour (
        hour timestamptz not null,
        kind text not null,
        amount bigint not null,
        primary key (hour, kind)
      ) with (fillfactor = 70)`);
    // Transfers up to `above_id` are counted by their ids, once; later ones by the transactions that wrote them.
    this.addSql(`
      create table money_mark (
        only_one boolean primary key default true,
        recorded_before xid8 not null default '0',
        above_id bigint not null,
        counted_to bigint not null default 0,
        complete boolean not null default false,
        constraint money_mark_only_one_check check (only_one)
      )`);
    this.addSql(`insert into money_mark (above_id, complete)
                 select coalesce(max(id), 0), max(id) is null from ledger_transfer`);

    // The sums of all transfers of the transactions before `verified_before`: they were proven, and never change.
    this.addSql(`
      create table ledger_proof (
        only_one boolean primary key default true,
        verified_before xid8 not null,
        above_id bigint not null,
        verified_at timestamptz not null default now(),
        full_at timestamptz not null,
        constraint ledger_proof_only_one_check check (only_one)
      )`);
    this.addSql(`
      create table account_proof (
        account_id uuid primary key,
        posted bigint not null,
        owed bigint not null,
        charged bigint not null
      ) with (fillfactor = 70)`);
  }
}
