import { type Pool, query } from '../database/pool.ts';
import type { Catalogue } from './catalogue.ts';
import type { EngineEntry } from './engines-file.ts';

const REFRESH_MS = 5000;
const READ = { name: 'demo-engines', text: 'select entry from demo_engine order by id' };

/** Keeps the catalogue up to date with the engines that `demo seed` shows beside the configured ones. */
export class DemoEngines implements Disposable {
  readonly #pool: Pool;
  readonly #catalogue: Catalogue;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, catalogue: Catalogue) {
    this.#pool = pool;
    this.#catalogue = catalogue;
  }

  async start(): Promise<void> {
    await this.#refresh();
    this.#timer = setInterval(() => void this.#refresh().catch(() => undefined), REFRESH_MS).unref(); // the next one may succeed
  }

  async #refresh(): Promise<void> {
    const rows = await query<{ entry: EngineEntry }>(this.#pool, READ, []);
    this.#catalogue.showDemo(rows.map(({ entry }) => entry));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
