import { Migration } from '@mikro-orm/migrations';

/**
 * Whether messages of a request may quote its engine or its provider: an attempt of it ended so, or says where its quote begins.
 * A function, because a statement that names `attempt` opens all of its months, and hardly any request is asked for it.
 */
export class Migration20261128220000_quotes_of_requests extends Migration {
  override up(): void {
    this.addSql(`
      create function may_quote_provider(request text, outcomes text[]) returns boolean language sql stable as $$
        select exists (
          select from attempt a where a.request_id = request and (a.outcome = any(outcomes) or a.quote_at is not null))
      $$`);
  }
}
