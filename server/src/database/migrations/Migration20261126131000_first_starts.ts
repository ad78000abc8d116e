import { Migration } from '@mikro-orm/migrations';

/** When the first run of a request began that had several: `started_at` has the latest one's. */
export class Migration20261126131000_first_starts extends Migration {
  override up(): void {
    this.addSql('alter table ocr_request add column first_started_at timestamptz');
  }
}
