import { Migration } from '@mikro-orm/migrations';

/**
 * The number of pages that an attempt worked on. Its engine time is that of all of them; per page it is divided by this number.
 */
export class Migration20261122144000_pages_tried extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column pages_tried integer');
  }
}
