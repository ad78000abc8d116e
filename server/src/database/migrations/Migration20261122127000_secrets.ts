import { Migration } from '@mikro-orm/migrations';

/** The keys that encrypt secrets, by their ids, and until when a replaced signing key is believed. */
export class Migration20261122127000_secrets extends Migration {
  override up(): void {
    this.addSql(`
      create table secret_key (
        id text primary key,
        check_value text not null,
        created_at timestamptz not null default now()
      )`);
    this.addSql('alter table identity_key add column verify_until timestamptz');
  }
}
