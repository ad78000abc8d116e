import { Migration } from '@mikro-orm/migrations';

/** The parts of the divided tables that stand in files, and what these files are. Without a file the part is being written. */
export class Migration20261123161000_archived_parts extends Migration {
  override up(): void {
    this.addSql(`
      create table archived_part (
        table_name text not null,
        part text not null,
        low text not null,
        high text not null,
        detached_at timestamptz not null default now(),
        rows bigint,
        file text,
        bytes bigint,
        sha256 text,
        primary key (table_name, high)
      )`);
  }
}
