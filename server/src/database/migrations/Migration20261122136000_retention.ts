import { Migration } from '@mikro-orm/migrations';

/** The days for which an account keeps texts, and the request up to which they have been deleted. */
export class Migration20261122136000_retention extends Migration {
  override up(): void {
    this.addSql('alter table account add column text_days integer');
    this.addSql('create index account_retention_index on account (id) where text_days is not null');
    this.addSql('create table text_expiry (account_id uuid primary key, after_id text not null)');
  }
}
