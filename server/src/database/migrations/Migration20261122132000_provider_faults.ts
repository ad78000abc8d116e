import { Migration } from '@mikro-orm/migrations';

/** The fault at an attempt's provider, as a code: alerts go by it, and not by the sentence in `message`. */
export class Migration20261122132000_provider_faults extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column provider_fault text');
  }
}
