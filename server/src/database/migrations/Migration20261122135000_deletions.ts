import { Migration } from '@mikro-orm/migrations';

/** The deletion of a request's texts: wished for (`discard`), and done. */
export class Migration20261122135000_deletions extends Migration {
  override up(): void {
    this.addSql(`alter table ocr_request add column discard boolean not null default false,
                 add column deleted_at timestamptz`);
    this.addSql(`create index ocr_request_discard_index on ocr_request (finished_at)
                 where discard and deleted_at is null`);
  }
}
