import { Migration } from '@mikro-orm/migrations';

/** An index of failed webhooks, which are listed for operators: they are few among the many that arrived. */
export class Migration20261123175000_failed_deliveries extends Migration {
  override up(): void {
    this.addSql(`create index webhook_delivery_failed_index on webhook_delivery (id) where status = 'failed'`);
  }
}
