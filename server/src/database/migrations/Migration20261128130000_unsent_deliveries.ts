import { Migration } from '@mikro-orm/migrations';

/**
 * The number of claims in a row after which nothing was sent: a process that ends before it sends costs no attempt, and a
 * delivery must not end processes for ever. Processes of the version before leave it as it is; what they have sent has a body.
 */
export class Migration20261128130000_unsent_deliveries extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery add column unsent smallint not null default 0');
  }
}
