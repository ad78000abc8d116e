import { Migration } from '@mikro-orm/migrations';

/** The prices of acceptance, what was given back of a charge, why, and which document a job began with. */
export class Migration20261122123001_money_corrections extends Migration {
  override up(): void {
    // Requests of before have none: they are charged at the prices of the day that they end.
    this.addSql('alter table ocr_request add column prices jsonb');
    // What refunds gave back of its cost. The limit is a condition of the row: two refunds at once cannot exceed it.
    this.addSql('alter table ocr_request add column refunded bigint not null default 0');
    this.addSql(`alter table ocr_request add constraint ocr_request_refunded_check
                 check (refunded >= 0 and refunded <= cost) not valid`);
    // SHA-256 of a large job's document: what its URL answers with later may be another one.
    this.addSql('alter table ocr_request add column document_hash text');
    this.addSql('alter table ledger_transfer add column reason text');
  }
}
