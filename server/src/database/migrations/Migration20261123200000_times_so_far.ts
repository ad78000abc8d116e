import { Migration } from '@mikro-orm/migrations';

/** Where the time of a large job's run had gone when a page of it was stored: its request is told only at its end. */
export class Migration20261123200000_times_so_far extends Migration {
  override up(): void {
    this.addSql('alter table job_page add column times jsonb');
  }
}
