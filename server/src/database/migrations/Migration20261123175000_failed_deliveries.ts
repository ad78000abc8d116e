import { Migration } from '@mikro-orm/migrations';

/** Failed webhooks are listed for operators: few among the many that arrived. */
export class Migration20261123175000_failed_deliveries extends Migration {
  override up(): void {
    this.addSql(`create index webhook_delivery_failed_index on webhook_delivery (id) where status = 'failed'`);
  }
}
