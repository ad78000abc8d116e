import { Migration } from '@mikro-orm/migrations';

/** The time at which history was last off, by which texts are judged; and accounts whose texts are still to be deleted. */
export class Migration20261122121000_history_off extends Migration {
  override up(): void {
    this.addSql('alter table account add column history_off_at timestamptz');
    this.addSql(`
      create table text_purge (
        account_id uuid primary key,
        after_id text not null default '',
        passes_left integer not null default 2,
        due_at timestamptz not null default now()
      )`);
    // Settlements of the time before may have left texts behind.
    this.addSql('update account set history_off_at = now() where not history');
    this.addSql('insert into text_purge (account_id) select id from account where not history and not demo');
  }
}
