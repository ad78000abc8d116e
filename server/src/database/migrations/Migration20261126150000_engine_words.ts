import { Migration } from '@mikro-orm/migrations';

/** The latest words of an engine's provider about credentials, credit, model or rate: operators see them, callers do not. */
export class Migration20261126150000_engine_words extends Migration {
  override up(): void {
    this.addSql(`create table engine_words (
      engine text primary key,
      fault text not null,
      words text not null,
      said_at timestamptz not null
    )`);
  }
}
