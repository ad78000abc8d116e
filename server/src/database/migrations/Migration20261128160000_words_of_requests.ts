import { Migration } from '@mikro-orm/migrations';

/**
 * The request to which a provider said something, '' where it was none of a caller: its words go with it. What stands there
 * with null, from processes of the version before, is of nobody knows which request, and is not kept.
 */
export class Migration20261128160000_words_of_requests extends Migration {
  override up(): void {
    this.addSql('alter table engine_words add column request_id text');
  }
}
