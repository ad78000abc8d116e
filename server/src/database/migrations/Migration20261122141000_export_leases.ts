import { Migration } from '@mikro-orm/migrations';

/** Which accounts are being exported: one export of each at a time. It means nothing after a crash. */
export class Migration20261122141000_export_leases extends Migration {
  override up(): void {
    this.addSql(`create unlogged table export_lease (
      account_id uuid primary key, holder text not null, expires_at timestamptz not null)`);
  }
}
