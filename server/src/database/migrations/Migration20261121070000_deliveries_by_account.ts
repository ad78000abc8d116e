import { Migration } from '@mikro-orm/migrations';

/** Deliveries are claimed account by account at each receiver. */
export class Migration20261121070000_deliveries_by_account extends Migration {
  override up(): void {
    this.addSql(`create index webhook_delivery_line_index on webhook_delivery (origin, account_id, next_attempt_at)
                 where status = 'pending'`);
    this.addSql('drop index webhook_delivery_due_index');
  }
}
