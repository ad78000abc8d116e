import { Migration } from '@mikro-orm/migrations';

/** Intervals of a run's time: what its pages did side by side, not added up. */
export class Migration20261122145000_wall_times extends Migration {
  override up(): void {
    this.addSql('alter table ocr_request add column wall_times jsonb');
  }
}
