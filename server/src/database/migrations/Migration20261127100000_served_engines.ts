import { Migration } from '@mikro-orm/migrations';

/** Of which engines a process takes queued requests. Processes of before do not say: they may take those of every engine. */
export class Migration20261127100000_served_engines extends Migration {
  override up(): void {
    this.addSql('alter table lease_holder add column engines text[]');
  }
}
