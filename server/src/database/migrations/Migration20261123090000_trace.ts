import { Migration } from '@mikro-orm/migrations';

/** The trace of a request, which goes on in another process or at its webhook's receiver. */
export class Migration20261123090000_trace extends Migration {
  override up(): void {
    this.addSql('alter table ocr_request add column trace text');
    this.addSql('alter table webhook_delivery add column trace text');
  }
}
