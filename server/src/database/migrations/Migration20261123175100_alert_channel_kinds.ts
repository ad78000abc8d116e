import { Migration } from '@mikro-orm/migrations';

/** A channel may be told of some kinds of alerts only, and its secret may be changed without a gap. */
export class Migration20261123175100_alert_channel_kinds extends Migration {
  override up(): void {
    this.addSql(`alter table alert_channel add column kinds text[], add column previous_secret text,
                 add column previous_secret_until timestamptz`);
  }
}
