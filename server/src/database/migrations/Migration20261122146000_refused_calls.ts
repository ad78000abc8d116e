import { Migration } from '@mikro-orm/migrations';

/** Calls that were refused before there was a request: how many of a kind in an hour, and the single ones of some days. */
export class Migration20261122146000_refused_calls extends Migration {
  override up(): void {
    this.addSql(`create table refused_hour (
      hour timestamptz not null, engine text not null, account_id text not null, key_id text not null,
      status integer not null, code text not null, calls bigint not null,
      primary key (hour, engine, account_id, key_id, status, code)
    )`);
    this.addSql(`create table refused_call (
      id text primary key, at timestamptz not null, status integer not null, code text not null, message text not null,
      method text not null, path text not null, account_id text, key_id text, engine text
    )`);
    this.addSql('create index refused_call_at_index on refused_call (at)');
  }
}
