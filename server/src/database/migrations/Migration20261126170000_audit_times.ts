import { Migration } from '@mikro-orm/migrations';

/** An index of the audit log by time. */
export class Migration20261126170000_audit_times extends Migration {
  override up(): void {
    this.addSql('create index audit_entry_at_index on audit_entry (at)');
  }
}
