import { Migration } from '@mikro-orm/migrations';

/** Whether a delivery's request was deleted: no body of it is kept any more, not even one that was being rendered. */
export class Migration20261122140000_discarded_deliveries extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery add column is_discarded boolean not null default false');
  }
}
