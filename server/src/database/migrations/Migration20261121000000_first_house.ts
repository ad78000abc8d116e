import { Migration } from '@mikro-orm/migrations';

/** Accounts, money, requests, engines' switches and records: the tables of the first release. */
export class Migration20261121000000_first_house extends Migration {
  override up(): void {
    this.addSql(`
      create table account (
        id uuid primary key,
        email text not null,
        password_hash text,
        tier text not null default 'free',
        history boolean not null default true,
        signing_secret text not null,
        created_at timestamptz not null default now(),
        constraint account_tier_check check (tier in ('free', 'pro', 'scale', 'unlimited'))
      )`);
    this.addSql('create unique index account_email_unique on account (lower(email))');

    this.addSql(`
      create table api_key (
        id text primary key,
        account_id uuid not null references account (id),
        label text,
        prefix text not null,
        hash bytea not null,
        scopes text[] not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz,
        revoked_at timestamptz,
        constraint api_key_hash_unique unique (hash)
      )`);
    this.addSql('create index api_key_account_id_index on api_key (account_id)');

    this.addSql(`
      create unlogged table rate_window (
        key_id text primary key,
        started_at timestamptz not null,
        hits integer not null
      ) with (fillfactor = 50)`);

    this.addSql(`
      create table wallet (
        account_id uuid primary key references account (id),
        posted bigint not null default 0,
        held bigint not null default 0,
        owed bigint not null default 0,
        spent bigint not null default 0,
        requests bigint not null default 0,
        pages bigint not null default 0,
        constraint wallet_posted_check check (posted >= 0),
        constraint wallet_held_check check (held >= 0 and held <= posted),
        constraint wallet_owed_check check (owed >= 0)
      ) with (fillfactor = 20)`);

    // No foreign keys from here on: these rows are written by the statements that also write their parents, parents are
    // never deleted, and the lock that each check takes on the account's row is what a busy account cannot afford.
    this.addSql(`
      create table ocr_request (
        id text primary key,
        account_id uuid not null,
        key_id text,
        idempotency_key text,
        fingerprint text,
        requested_engine text not null,
        engine text not null,
        mode text not null,
        effective jsonb not null,
        status text not null,
        outcome text not null,
        error_code text,
        provider_error text,
        pages integer,
        pages_total integer,
        warnings jsonb not null default '[]',
        warning text,
        metadata jsonb,
        applied_settings jsonb,
        preview text,
        text_retained boolean not null default false,
        hold bigint not null,
        confidence real,
        cost bigint not null default 0,
        provider_latency_ms integer,
        lease_owner text,
        lease_expires_at timestamptz,
        fence integer not null default 0,
        starts integer not null default 0,
        job_id text,
        created_at timestamptz not null default now(),
        started_at timestamptz,
        finished_at timestamptz,
        constraint ocr_request_status_check
          check (status in ('queued', 'processing', 'succeeded', 'partial', 'failed', 'rejected')),
        constraint ocr_request_hold_check check (hold >= 0),
        constraint ocr_request_finished_check check ((finished_at is null) = (status in ('queued', 'processing')))
      )`);
    this.addSql(`create unique index ocr_request_idempotency_unique on ocr_request (account_id, idempotency_key)
                 where idempotency_key is not null`);
    // Partial, so that no plan finds a key or an id by way of all requests of its account.
    this.addSql(`create index ocr_request_account_index on ocr_request (account_id, id) where finished_at is not null`);
    this.addSql('create unique index ocr_request_job_unique on ocr_request (job_id) where job_id is not null');
    this.addSql(`create index ocr_request_work_index on ocr_request (requested_engine, account_id)
                 where status = 'processing'`);
    this.addSql(`create index ocr_request_queue_index on ocr_request (requested_engine, account_id, id)
                 where status = 'queued'`);

    this.addSql(`
      create table ocr_page (
        request_id text not null,
        number integer not null,
        engine text not null,
        source text not null,
        state text not null,
        text text,
        confidence real,
        provider_latency_ms integer,
        cost bigint not null default 0,
        code text,
        message text,
        primary key (request_id, number)
      )`);
    // Pages of a large job that are finished while others are not: a crash resumes behind them.
    this.addSql(`
      create table job_page (
        request_id text not null,
        number integer not null,
        result jsonb not null,
        code text,
        message text,
        primary key (request_id, number)
      )`);

    this.addSql(`
      create table attempt (
        id text primary key,
        request_id text not null,
        number integer not null,
        engine text not null,
        started_at timestamptz not null default now(),
        finished_at timestamptz,
        outcome text,
        provider_latency_ms integer,
        pages integer,
        billing text not null,
        cost bigint not null default 0,
        usage jsonb,
        provider_request_id text,
        model_version text,
        message text,
        constraint attempt_billing_check check (billing in ('none', 'settled', 'pending', 'verified'))
      )`);
    this.addSql('create index attempt_request_id_index on attempt (request_id)');
    this.addSql('create index attempt_engine_index on attempt (engine, started_at)');
    this.addSql(`create index attempt_pending_index on attempt (started_at) where billing = 'pending'`);

    this.addSql(`
      create table ledger_transfer (
        id bigserial primary key,
        account_id uuid not null,
        kind text not null,
        debit text not null,
        credit text not null,
        amount bigint not null,
        request_id text,
        attempt_id text,
        created_at timestamptz not null default now(),
        constraint ledger_transfer_amount_check check (amount > 0),
        constraint ledger_transfer_sides_check check (debit <> credit)
      )`);
    this.addSql(`create unique index ledger_transfer_once_unique
                 on ledger_transfer (request_id, coalesce(attempt_id, ''), kind, debit) where request_id is not null`);
    this.addSql('create index ledger_transfer_account_index on ledger_transfer (account_id, id)');
    this.addSql(`
      create function ledger_transfer_is_append_only() returns trigger language plpgsql as
      $$ begin raise exception 'the ledger is append-only: correct it by another transfer'; end $$`);
    this.addSql(`create trigger ledger_transfer_append_only before update or delete or truncate on ledger_transfer
                 for each statement execute function ledger_transfer_is_append_only()`);

    this.addSql(`
      create table stored_document (
        request_id text primary key,
        bytes bytea not null
      )`);
    // The text of a result that is not retained, on its way to a caller who waits in another process.
    this.addSql(`
      create table passing_text (
        request_id text primary key,
        text text not null,
        created_at timestamptz not null default now()
      )`);
    // Pictures and PDFs are compressed already: trying again only costs time.
    this.addSql('alter table stored_document alter column bytes set storage external');

    this.addSql(`
      create table engine_switch (
        engine text primary key,
        enabled boolean not null,
        changed_at timestamptz not null default now()
      )`);

    this.addSql(`
      create table engine_check (
        id bigserial primary key,
        engine text not null,
        checked_at timestamptz not null default now(),
        healthy boolean not null,
        latency_ms integer,
        detail text
      )`);
    this.addSql('create index engine_check_engine_index on engine_check (engine, checked_at)');
  }
}
