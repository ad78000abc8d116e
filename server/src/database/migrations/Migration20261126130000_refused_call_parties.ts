import { Migration } from '@mikro-orm/migrations';

/** Whose share of the refused calls that are kept one takes. What the version before wrote is one party, until it is three days old. */
export class Migration20261126130000_refused_call_parties extends Migration {
  override up(): void {
    this.addSql(`alter table refused_call add column party text not null default ''`);
    this.addSql('create index refused_call_party_index on refused_call (party, id)');
  }
}
