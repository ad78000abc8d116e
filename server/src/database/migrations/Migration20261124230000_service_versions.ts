import { Migration } from '@mikro-orm/migrations';

/** The times at which versions of the service began: what has gone on since a deployment is seen as such. */
export class Migration20261124230000_service_versions extends Migration {
  override up(): void {
    this.addSql(`create table service_version (
      id bigint generated always as identity primary key, version text not null, began_at timestamptz not null default now()
    )`);
  }
}
