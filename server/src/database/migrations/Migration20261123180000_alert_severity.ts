import { Migration } from '@mikro-orm/migrations';

/** How soon somebody must look at an alert. What there was, and what the version before writes, is as urgent as it was. */
export class Migration20261123180000_alert_severity extends Migration {
  override up(): void {
    this.addSql(`alter table alert_rule add column severity text not null default 'critical'`);
    this.addSql(`alter table alert add column severity text not null default 'critical'`);
  }
}
