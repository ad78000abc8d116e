import { Migration } from '@mikro-orm/migrations';

/** A request that is cancelled: the mark in its row tells the process that works on it, and the end that it brought about. */
export class Migration20261122134000_cancellations extends Migration {
  override up(): void {
    this.addSql(
      'alter table ocr_request add column cancel_requested_at timestamptz, add column cancelled_at timestamptz',
    );
    this.addSql(`create index ocr_request_cancel_index on ocr_request (id)
                 where cancel_requested_at is not null and finished_at is null`);
  }
}
