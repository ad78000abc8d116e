import { Migration } from '@mikro-orm/migrations';

/**
 * When a wallet was closed, as it is with its account: nothing is accepted on it any more. Those of accounts that ended before
 * stay as they are: no call has used one since.
 */
export class Migration20261127090000_closed_wallets extends Migration {
  override up(): void {
    this.addSql('alter table wallet add column closed_at timestamptz');
  }
}
