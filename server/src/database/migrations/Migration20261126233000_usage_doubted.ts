import { Migration } from '@mikro-orm/migrations';

/**
 * Whether a usage was not believed. The message that says it is deleted with the request's texts. Earlier attempts, and those of
 * older processes, have the message only.
 */
export class Migration20261126233000_usage_doubted extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column usage_doubted boolean');
  }
}
