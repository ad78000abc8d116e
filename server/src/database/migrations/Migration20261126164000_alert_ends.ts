import { Migration } from '@mikro-orm/migrations';

/** Why an alert ended. Of those that ended before, and of what the version before ends, it is not known. */
export class Migration20261126164000_alert_ends extends Migration {
  override up(): void {
    this.addSql('alter table alert add column ended_by text');
  }
}
