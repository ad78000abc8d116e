import { Migration } from '@mikro-orm/migrations';

/** Open requests get small tables of their own: which processes live, and what waits in which order. */
export class Migration20261122122000_leases_and_queue extends Migration {
  override up(): void {
    // Rows that change all the time are vacuumed by their number and not by a share of the table.
    const hot = 'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000';
    this.addSql(`
      create table lease_holder (
        owner text primary key,
        expires_at timestamptz not null,
        running jsonb not null default '{}'
      ) with (fillfactor = 20, ${hot})`);
    this.addSql(`
      create table queued_request (
        request_id text primary key,
        engine text not null,
        account_id uuid not null,
        level smallint not null,
        seq bigint not null
      ) with (${hot})`);
    this.addSql('create index queued_request_level_index on queued_request (engine, level, seq)');
    this.addSql('alter table ocr_request add column suspicion smallint');
    // As requests/store/queue-levels.ts counts them: 1 for an account's first, 2 for the next two, 3 for the next four.
    this.addSql(`
      insert into queued_request (request_id, engine, account_id, level, seq)
      select id, requested_engine, account_id,
        least(14, 1 + floor(log(2, row_number() over (partition by requested_engine, account_id order by id)))),
        (extract(epoch from created_at) * 1e6)::bigint
      from ocr_request where status = 'queued'`);
  }
}
