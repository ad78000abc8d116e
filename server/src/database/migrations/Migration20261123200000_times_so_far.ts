import { Migration } from '@mikro-orm/migrations';

/** The times of a large job's run so far, as of each stored page: its request has them only at its end. */
export class Migration20261123200000_times_so_far extends Migration {
  override up(): void {
    this.addSql('alter table job_page add column times jsonb');
  }
}
