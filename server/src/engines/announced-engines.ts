import { type Pool, query } from '../database/pool.ts';
import { Periodic } from '../platform/concurrency/periodic.ts';
import type { Catalogue } from './catalogue.ts';
import { readEntry } from './engines-file.ts';

const REFRESH_MS = 5000;
const READ = { name: 'announced-engines', text: 'select entry from announced_engine order by id' };

/** Keeps the catalogue up to date with the engines that the database announces beside the configured ones. */
export class AnnouncedEngines implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #catalogue: Catalogue;
  readonly #periodic: Periodic;
  #known = '[]';

  constructor(pool: Pool, catalogue: Catalogue) {
    this.#pool = pool;
    this.#catalogue = catalogue;
    // What an outage hides is seen by the next look.
    const options = { everyMs: REFRESH_MS, firstAfterMs: REFRESH_MS, onError: () => undefined };
    this.#periodic = new Periodic(() => this.#refresh(), options);
  }

  async start(): Promise<void> {
    await this.#refresh();
    this.#periodic.start();
  }

  async #refresh(): Promise<void> {
    const rows = await query<{ entry: unknown }>(this.#pool, READ, []);
    const entries = JSON.stringify(rows.map(({ entry }) => entry));
    if (entries === this.#known) return;
    this.#known = entries;
    this.#catalogue.announce(rows.flatMap(({ entry }) => readEntry(entry) ?? []));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
