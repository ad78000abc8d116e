import { Migration } from '@mikro-orm/migrations';

/** The reason why an alert ended; unknown for alerts that ended before, or that the version before ends. */
export class Migration20261126164000_alert_ends extends Migration {
  override up(): void {
    this.addSql('alter table alert add column ended_by text');
  }
}
