import { Migration } from '@mikro-orm/migrations';

/**
 * The engines whose queued requests a process takes. Processes of the version before name none: they may take those of every
 * engine.
 */
export class Migration20261127100000_served_engines extends Migration {
  override up(): void {
    this.addSql('alter table lease_holder add column engines text[]');
  }
}
