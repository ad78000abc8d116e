import { Migration } from '@mikro-orm/migrations';

/** When the first run of a request with several runs began: `started_at` has that of the latest one. */
export class Migration20261126131000_first_starts extends Migration {
  override up(): void {
    this.addSql('alter table ocr_request add column first_started_at timestamptz');
  }
}
