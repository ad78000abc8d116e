import { Migration } from '@mikro-orm/migrations';

/**
 * The party whose share of the kept refused calls a call takes. Those of the version before are one party, until they are three
 * days old.
 */
export class Migration20261126130000_refused_call_parties extends Migration {
  override up(): void {
    this.addSql(`alter table refused_call add column party text not null default ''`);
    this.addSql('create index refused_call_party_index on refused_call (party, id)');
  }
}
