import { Migration } from '@mikro-orm/migrations';

/** The accounts that are being exported, each once at a time. Rows mean nothing after a crash. */
export class Migration20261122141000_export_leases extends Migration {
  override up(): void {
    this.addSql(`create unlogged table export_lease (
      account_id uuid primary key, holder text not null, expires_at timestamptz not null)`);
  }
}
