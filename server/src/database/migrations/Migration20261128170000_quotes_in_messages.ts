import { Migration } from '@mikro-orm/migrations';

/**
 * How many characters of an attempt's message stand before what it quotes of a provider: alerts, which outlive requests, tell no
 * more of it. Null where nothing is quoted, and in attempts of the version before.
 */
export class Migration20261128170000_quotes_in_messages extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column quote_at smallint');
  }
}
