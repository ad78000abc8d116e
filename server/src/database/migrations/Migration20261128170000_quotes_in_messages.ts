import { Migration } from '@mikro-orm/migrations';

/**
 * The number of characters of an attempt's message before its quote of a provider: alerts, which outlive requests, tell only
 * these. Null where nothing is quoted, and in attempts of the version before.
 */
export class Migration20261128170000_quotes_in_messages extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column quote_at smallint');
  }
}
