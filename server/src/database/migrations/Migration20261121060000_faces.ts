import { Migration } from '@mikro-orm/migrations';

/** Tables for what operators and owners look at: who did what, how full the queue was, who works, and what is only a demo. */
export class Migration20261121060000_faces extends Migration {
  override up(): void {
    this.addSql(`
      create table audit_entry (
        id bigserial primary key,
        at timestamptz not null default now(),
        account_id uuid,
        key_id text,
        via text not null,
        action text not null,
        subject text,
        details jsonb not null default '{}',
        outcome text,
        constraint audit_entry_via_check check (via in ('graphql', 'command line'))
      )`);

    // One row a minute and engine; the engine '' stands for all of them together.
    this.addSql(`
      create table queue_minute (
        minute timestamptz not null,
        engine text not null,
        samples integer not null,
        queued_sum bigint not null,
        queued_max integer not null,
        running_sum bigint not null,
        running_max integer not null,
        oldest_age_max real,
        primary key (minute, engine)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table queue_sampler (
        only_one boolean primary key default true,
        sampled_at timestamptz not null default '-infinity',
        constraint queue_sampler_only_one_check check (only_one)
      )`);
    this.addSql('insert into queue_sampler default values');
    this.addSql(`
      create unlogged table worker_process (
        owner text primary key,
        role text not null,
        version text not null,
        started_at timestamptz not null,
        seen_at timestamptz not null default now()
      ) with (fillfactor = 50)`);

    // A row when the state of an engine has changed; the newest one of an engine says how it is, and since when.
    this.addSql(`
      create table engine_state (
        id bigserial primary key,
        engine text not null,
        state text not null,
        former text,
        detail text,
        at timestamptz not null default now()
      )`);
    this.addSql('create index engine_state_engine_index on engine_state (engine, id)');

    this.addSql('create table demo_engine (id text primary key, entry jsonb not null)');
    this.addSql('alter table account add column demo boolean not null default false');

    this.addSql('alter table webhook add column previous_secret text');
    this.addSql('alter table webhook add column previous_secret_until timestamptz');

    this.addSql('alter table ocr_request add column document_ms integer');
    this.addSql('alter table ocr_request add column render_ms integer');

    // A key for top-ups: a caller that got no answer and repeats one adds nothing.
    this.addSql('alter table ledger_transfer add column idempotency_key text');
    this.addSql(`create unique index ledger_transfer_key_unique on ledger_transfer (idempotency_key)
                 where idempotency_key is not null`);
    // Rows are only ever added, in the order of their time: this index costs a page where a tree would cost a write each.
    this.addSql(`create index ledger_transfer_created_index on ledger_transfer using brin (created_at)
                 with (pages_per_range = 32, autosummarize = on)`);
  }
}
