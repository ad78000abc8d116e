import { Migration } from '@mikro-orm/migrations';

/** A wallet is closed with its account: nothing is accepted on it any more. Those of accounts that ended before stay as they are: nobody has come in by them since. */
export class Migration20261127090000_closed_wallets extends Migration {
  override up(): void {
    this.addSql('alter table wallet add column closed_at timestamptz');
  }
}
