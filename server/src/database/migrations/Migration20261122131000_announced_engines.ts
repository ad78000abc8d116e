import { Migration } from '@mikro-orm/migrations';

/**
 * Engines that are shown and not called. `demo_engine`, which had them, stays for processes of the version before. The
 * results that are stored of them never go out of date, because no probe follows.
 */
export class Migration20261122131000_announced_engines extends Migration {
  override up(): void {
    this.addSql('create table announced_engine (id text primary key, entry jsonb not null)');
    this.addSql('insert into announced_engine select id, entry from demo_engine');
    this.addSql(`update engine_probe set checked_at = 'infinity' where engine in (select id from demo_engine)`);
  }
}
