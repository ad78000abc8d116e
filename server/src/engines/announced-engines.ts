import { type Pool, query } from '../database/pool.ts';
import type { Catalogue } from './catalogue.ts';
import { readEntry } from './engines-file.ts';

const REFRESH_MS = 5000;
const READ = { name: 'announced-engines', text: 'select entry from announced_engine order by id' };

/** Keeps the catalogue up to date with the engines that the database announces beside the configured ones. */
export class AnnouncedEngines implements Disposable {
  readonly #pool: Pool;
  readonly #catalogue: Catalogue;
  #timer: NodeJS.Timeout | undefined;
  #known = '[]';

  constructor(pool: Pool, catalogue: Catalogue) {
    this.#pool = pool;
    this.#catalogue = catalogue;
  }

  async start(): Promise<void> {
    await this.#refresh();
    this.#timer = setInterval(() => void this.#refresh().catch(() => undefined), REFRESH_MS).unref(); // the next one may succeed
  }

  async #refresh(): Promise<void> {
    const rows = await query<{ entry: unknown }>(this.#pool, READ, []);
    const entries = JSON.stringify(rows.map(({ entry }) => entry));
    if (entries === this.#known) return;
    this.#known = entries;
    this.#catalogue.announce(rows.flatMap(({ entry }) => readEntry(entry) ?? []));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
