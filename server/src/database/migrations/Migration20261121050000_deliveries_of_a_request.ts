import { Migration } from '@mikro-orm/migrations';

/** An index by request: a request shows the webhooks that announced it. */
export class Migration20261121050000_deliveries_of_a_request extends Migration {
  override up(): void {
    this.addSql(`create index webhook_delivery_request_index on webhook_delivery (request_id)
                 where request_id is not null`);
  }
}
