import { Migration } from '@mikro-orm/migrations';

/** The provider's answer to the latest probe, where it refused it: no request need fail before the refusal is known. */
export class Migration20261122152000_probe_faults extends Migration {
  override up(): void {
    this.addSql('alter table engine_probe add column provider_fault text');
  }
}
