import { Migration } from '@mikro-orm/migrations';

/** The findings of the latest `doctor`: an alert rule may watch them. */
export class Migration20261122153000_doctor_results extends Migration {
  override up(): void {
    this.addSql(`create table doctor_result (
      only_one boolean primary key default true, at timestamptz not null, failed text[] not null,
      constraint doctor_result_only_one_check check (only_one)
    )`);
  }
}
