import { Migration } from '@mikro-orm/migrations';

/** Accounts that came to their end: what is left of one is what the books need. */
export class Migration20261122142000_ended_accounts extends Migration {
  override up(): void {
    this.addSql('alter table account add column deleted_at timestamptz');
  }
}
