import { Migration } from '@mikro-orm/migrations';

/**
 * That a usage was not believed is a fact of its own: its message is forgotten with the request's texts. Attempts of
 * before, and of older processes, have none: their message says it.
 */
export class Migration20261126233000_usage_doubted extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column usage_doubted boolean');
  }
}
