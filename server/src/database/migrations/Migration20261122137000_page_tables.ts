import { Migration } from '@mikro-orm/migrations';

/** The tables of pages, where an engine tells them apart from the text. */
export class Migration20261122137000_page_tables extends Migration {
  override up(): void {
    // Like `lines`: stored and handed on, never searched.
    this.addSql('alter table page_layout add column tables json');
  }
}
