import { Migration } from '@mikro-orm/migrations';

/**
 * How many claims in a row have sent nothing: a process that ends before it sends costs no attempt, and must not end for ever.
 * Processes of the version before leave it as it is; what they have sent is known by its body.
 */
export class Migration20261128130000_unsent_deliveries extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery add column unsent smallint not null default 0');
  }
}
