import { Migration } from '@mikro-orm/migrations';

/**
 * When each table is vacuumed, by what becomes of its rows. The default is after a fifth of the table: of a hundred million
 * rows these are twenty million, whose dead versions every look-up passes until then, and whose vacuum then reads for hours.
 *
 * None of these statements waits for requests, or makes them wait.
 */
export class Migration20261122147000_vacuum_settings extends Migration {
  override up(): void {
    // Each row is written twice or more. Its changes touch columns of indexes: space left on its page would save nothing.
    const changing = { autovacuum_vacuum_scale_factor: 0.02, autovacuum_vacuum_insert_scale_factor: 0.05 };
    // Rows are added and seldom change: vacuum freezes them, and notes which pages need not be looked at again.
    const growing = { autovacuum_vacuum_scale_factor: 0.05, autovacuum_vacuum_insert_scale_factor: 0.05 };
    // So that plans know of the newest rows, which are asked for most.
    const analyzed = { autovacuum_analyze_scale_factor: 0.02 };
    for (const table of ['ocr_request', 'webhook_delivery']) this.#set(table, { ...changing, ...analyzed });
    for (const table of ['ocr_page', 'page_layout', 'attempt', 'ledger_transfer', 'webhook_attempt']) {
      this.#set(table, { ...growing, ...analyzed });
    }
    // Rows come and go: what counts is how many are dead, not which share of the few that live. A chunk has 2 kB.
    const passing = { autovacuum_vacuum_scale_factor: 0, autovacuum_vacuum_threshold: 1000 };
    const chunks = { 'toast.autovacuum_vacuum_scale_factor': 0, 'toast.autovacuum_vacuum_threshold': 10_000 };
    for (const table of ['stored_document', 'passing_text', 'job_page']) this.#set(table, { ...passing, ...chunks });
    // A column without an index changes again and again: with space on the page no index gets an entry for that.
    for (const table of ['api_key', 'session', 'refused_hour']) this.#set(table, { fillfactor: 70 });
  }

  #set(table: string, settings: Readonly<Record<string, number>>): void {
    const list = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    this.addSql(`alter table ${table} set (${list.join(', ')})`);
  }
}
