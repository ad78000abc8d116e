import { Migration } from '@mikro-orm/migrations';

/** What the provider answered to the latest probe, where it refused it: no request need fail before that is known. */
export class Migration20261122152000_probe_faults extends Migration {
  override up(): void {
    this.addSql('alter table engine_probe add column provider_fault text');
  }
}
