import { Migration } from '@mikro-orm/migrations';

/** Secrets that were changed before the latest change and sign still: encrypted as secrets are, null without any. */
export class Migration20261128230000_older_secrets extends Migration {
  override up(): void {
    this.addSql('alter table webhook add column older_secrets text');
    this.addSql('alter table alert_channel add column older_secrets text');
  }
}
