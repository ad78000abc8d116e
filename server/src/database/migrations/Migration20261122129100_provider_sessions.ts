import { Migration } from '@mikro-orm/migrations';

/** Whether a session began at an OpenID provider: a logout ends the login there, too. */
export class Migration20261122129100_provider_sessions extends Migration {
  override up(): void {
    this.addSql('alter table session add column issuer text, add column logout_hint text');
  }
}
