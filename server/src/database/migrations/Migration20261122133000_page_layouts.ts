import { Migration } from '@mikro-orm/migrations';

/** The positions of texts on pages, for requests that ask for them; and the pages of a result that is not retained. */
export class Migration20261122133000_page_layouts extends Migration {
  override up(): void {
    // `lines` is stored and handed on, never searched: json, and not jsonb.
    this.addSql(`
      create table page_layout (
        request_id text not null,
        number integer not null,
        width real not null,
        height real not null,
        unit text not null,
        dpi real,
        text_angle smallint not null default 0,
        positions text not null,
        located_by text,
        lines json,
        primary key (request_id, number)
      )`);
    this.addSql('alter table passing_text add column pages json');
  }
}
