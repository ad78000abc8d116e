import { Migration } from '@mikro-orm/migrations';

/** Whether an account's e-mail address is known to be its owner's. */
export class Migration20261122129000_verified_addresses extends Migration {
  override up(): void {
    this.addSql('alter table account add column email_verified boolean not null default false');
    // The operator made these accounts, or a provider has vouched for them. An account that was registered with a password has
    // shown nothing.
    this.addSql(`
      update account a set email_verified = true
      where password_hash is null
        or exists (select 1 from account_identity i where i.account_id = a.id)
        or exists (select 1 from audit_entry e
                   where e.action in ('account create', 'createAccount') and e.outcome = 'done'
                     and lower(e.details ->> 'email') = lower(a.email))`);
    this.addSql('create index account_identity_account_index on account_identity (account_id)');
  }
}
