import { Migration } from '@mikro-orm/migrations';

/**
 * The limits of keys' spending in a period. Only keys that have a limit, or had one, have a row. `term` counts the periods, and a
 * request keeps the one in which it was accepted: whatever ends the request, and whatever its cost becomes later, counts there,
 * and nowhere else.
 * A trigger follows the cost of requests, so that processes of the version before count, too. A statement that changes these
 * columns holds the wallet of the account, as acceptance does, so it never waits here.
 */
export class Migration20261125030000_key_budgets extends Migration {
  override up(): void {
    this.addSql(`
      create table key_budget (
        key_id text primary key references api_key (id) on delete cascade,
        amount bigint,
        period text not null,
        term integer not null default 1,
        ends_at timestamptz,
        spent bigint not null default 0,
        held bigint not null default 0,
        constraint key_budget_amount_check check (amount > 0),
        constraint key_budget_period_check check (period in ('day', 'week', 'month', 'total'))
      ) with (fillfactor = 20)`);
    this.addSql('alter table ocr_request add column budget_term integer');
    this.addSql(`
      create function count_in_key_budget() returns trigger language plpgsql as $$
      begin
        update key_budget set
          held = held - case when old.finished_at is null then old.hold else 0 end,
          spent = spent + new.cost - new.refunded - case when old.finished_at is null then 0 else old.cost - old.refunded end
        where key_id = new.key_id and term = new.budget_term;
        return null;
      end $$`);
    this.addSql(`create trigger ocr_request_in_key_budget after update of finished_at, cost, refunded on ocr_request for each row
                 when (new.budget_term is not null and new.finished_at is not null)
                 execute function count_in_key_budget()`);
  }
}
