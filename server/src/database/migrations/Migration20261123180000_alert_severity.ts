import { Migration } from '@mikro-orm/migrations';

/**
 * The severity of an alert: how soon somebody must look at it. Earlier rows, and those of the version before, stay as urgent as
 * they were.
 */
export class Migration20261123180000_alert_severity extends Migration {
  override up(): void {
    this.addSql(`alter table alert_rule add column severity text not null default 'critical'`);
    this.addSql(`alter table alert add column severity text not null default 'critical'`);
  }
}
