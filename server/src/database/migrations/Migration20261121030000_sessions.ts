import { Migration } from '@mikro-orm/migrations';

/** Logins: sessions, the keys that sign their tokens, outside identities, failed attempts. */
export class Migration20261121030000_sessions extends Migration {
  override up(): void {
    this.addSql(`
      create table session (
        id text primary key,
        account_id uuid not null references account (id),
        hash bytea not null,
        user_agent text,
        created_at timestamptz not null default now(),
        last_used_at timestamptz not null default now(),
        expires_at timestamptz not null,
        revoked_at timestamptz,
        constraint session_hash_unique unique (hash)
      )`);
    this.addSql('create index session_account_index on session (account_id)');

    this.addSql(`
      create table identity_key (
        kid text primary key,
        private_jwk jsonb not null,
        created_at timestamptz not null default now()
      )`);

    this.addSql(`
      create table account_identity (
        issuer text not null,
        subject text not null,
        account_id uuid not null references account (id),
        created_at timestamptz not null default now(),
        primary key (issuer, subject)
      )`);

    this.addSql(`
      create unlogged table login_failure (
        bucket text primary key,
        started_at timestamptz not null,
        hits integer not null
      )`);
    this.addSql('create index login_failure_started_index on login_failure (started_at)');
  }
}
