import { Migration } from '@mikro-orm/migrations';

/** When an account ended. What is left of such an account is what the books need. */
export class Migration20261122142000_ended_accounts extends Migration {
  override up(): void {
    this.addSql('alter table account add column deleted_at timestamptz');
  }
}
