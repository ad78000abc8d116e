import { Migration } from '@mikro-orm/migrations';

/** The balance below which an owner wants to be told. */
export class Migration20261123170000_low_balance extends Migration {
  override up(): void {
    this.addSql('alter table wallet add column low_threshold bigint');
  }
}
