import { Migration } from '@mikro-orm/migrations';

/**
 * The headers that an attempt was sent with, its signature among them: which secrets signed is not to be found out later, once
 * one was changed. Attempts of before have none.
 */
export class Migration20261126132000_sent_headers extends Migration {
  override up(): void {
    this.addSql('alter table webhook_attempt add column headers jsonb');
  }
}
