import { Migration } from '@mikro-orm/migrations';

/**
 * The headers that an attempt was sent with, with its signature: once a secret was changed, it cannot be found out which secrets
 * signed. Earlier attempts have none.
 */
export class Migration20261126132000_sent_headers extends Migration {
  override up(): void {
    this.addSql('alter table webhook_attempt add column headers jsonb');
  }
}
