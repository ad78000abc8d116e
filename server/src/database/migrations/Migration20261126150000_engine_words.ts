import { Migration } from '@mikro-orm/migrations';

/** What an engine's provider said last of credentials, credit, model or rate: operators see it, and no caller. */
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
