import { Migration } from '@mikro-orm/migrations';

/** How many pages an attempt worked on: its engine time is that of all of them, its time per page is that divided. */
export class Migration20261122144000_pages_tried extends Migration {
  override up(): void {
    this.addSql('alter table attempt add column pages_tried integer');
  }
}
