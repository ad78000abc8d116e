import { Migration } from '@mikro-orm/migrations';

/**
 * The positions of a page's lines as bytes (`documents/positions/line-bytes.ts`): as JSON, checking and packing them took most of
 * the statement that ends a request. Earlier ones stay in `lines`.
 */
export class Migration20261125150000_line_bytes extends Migration {
  override up(): void {
    this.addSql('alter table page_layout add column line_bytes bytea');
    // They are small already.
    this.addSql('alter table page_layout alter column line_bytes set storage external');
  }
}
