import { Migration } from '@mikro-orm/migrations';

/** Below which balance an owner wants to be told so. */
export class Migration20261123170000_low_balance extends Migration {
  override up(): void {
    this.addSql('alter table wallet add column low_threshold bigint');
  }
}
