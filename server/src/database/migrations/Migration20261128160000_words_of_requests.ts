import { Migration } from '@mikro-orm/migrations';

/**
 * The request to which a provider said something, '' where it was no caller's: the words are deleted with its texts. Null, from
 * processes of the version before: the request is unknown, and the words are not kept.
 */
export class Migration20261128160000_words_of_requests extends Migration {
  override up(): void {
    this.addSql('alter table engine_words add column request_id text');
  }
}
