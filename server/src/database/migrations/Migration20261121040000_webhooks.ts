import { Migration } from '@mikro-orm/migrations';

/** Registered callback URLs, what is to be delivered to them, and every attempt at it. */
export class Migration20261121040000_webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook (
        id text primary key,
        account_id uuid not null references account (id),
        url text not null,
        label text,
        events text[] not null,
        is_active boolean not null default true,
        signing_secret text not null,
        created_at timestamptz not null default now()
      )`);
    this.addSql('create index webhook_account_id_index on webhook (account_id)');

    // Written by the statement that ends a request: no foreign keys, as for the other rows of a request's life.
    this.addSql(`
      create table webhook_delivery (
        id text primary key,
        account_id uuid not null,
        webhook_id text,
        request_id text,
        url text not null,
        origin text not null,
        event text not null,
        is_failure boolean not null,
        engine text,
        cost bigint not null default 0,
        body text,
        status text not null,
        round integer not null default 1,
        attempt integer not null default 0,
        response_code integer,
        latency_ms integer,
        error text,
        next_attempt_at timestamptz not null default now(),
        lease_owner text,
        fence integer not null default 0,
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        constraint webhook_delivery_status_check check (status in ('pending', 'delivered', 'failed', 'skipped')),
        constraint webhook_delivery_finished_check check ((finished_at is null) = (status = 'pending'))
      )`);
    this.addSql(`create index webhook_delivery_due_index on webhook_delivery (origin, next_attempt_at)
                 where status = 'pending'`);
    this.addSql(`create index webhook_delivery_pending_index on webhook_delivery (account_id, id)
                 where status = 'pending'`);
    this.addSql(`create index webhook_delivery_webhook_index on webhook_delivery (webhook_id)
                 where webhook_id is not null`);
    this.addSql(`create index webhook_delivery_account_index on webhook_delivery (account_id)
                 where finished_at is not null and body is not null`);
    this.addSql(`create index webhook_delivery_finished_index on webhook_delivery (finished_at)
                 where finished_at is not null`);

    this.addSql(`
      create table webhook_attempt (
        id bigserial primary key,
        delivery_id text not null references webhook_delivery (id) on delete cascade,
        account_id uuid not null,
        webhook_id text,
        round integer not null,
        attempt integer not null,
        status text not null,
        response_code integer,
        latency_ms integer,
        error text,
        created_at timestamptz not null,
        constraint webhook_attempt_status_check check (status in ('delivered', 'failed', 'skipped'))
      )`);
    this.addSql('create index webhook_attempt_delivery_index on webhook_attempt (delivery_id)');
    this.addSql('create index webhook_attempt_account_index on webhook_attempt (account_id, id)');
    this.addSql('create index webhook_attempt_webhook_index on webhook_attempt (webhook_id, id)');
  }
}
