import { type Pool, query } from '../../database/pool.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';

/** What an engine's provider said last when it refused the gateway itself; `words` is '' when it said nothing. */
export interface ProviderSaid {
  readonly fault: ProviderFault;
  readonly words: string;
  readonly at: Date;
}

/** In one order: processes that write at once would wait for each other's rows without an end. */
const WRITE = {
  name: 'provider-words-write',
  text: `
  insert into engine_words as t (engine, fault, words, said_at)
  select engine, fault, words, at from json_to_recordset($1::json) as i(engine text, fault text, words text, at timestamptz)
  order by engine
  on conflict (engine) do update set fault = excluded.fault, words = excluded.words, said_at = excluded.said_at
    where excluded.said_at > t.said_at`,
};

const LATEST = {
  name: 'provider-words-latest',
  text: 'select engine, fault, words, said_at as at from engine_words where engine = any($1::text[])',
};

/** One row an engine, for operators: the messages of attempts, which callers see, leave these words out. */
export class ProviderWordStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async write(said: ReadonlyMap<string, ProviderSaid>): Promise<void> {
    const rows = [...said].map(([engine, each]) => ({ engine, ...each }));
    await query(this.#pool, WRITE, [JSON.stringify(rows)]);
  }

  /** Null for an engine whose provider never said anything of the kind. */
  async latest(engineIds: readonly string[]): Promise<(ProviderSaid | null)[]> {
    const rows = await query<ProviderSaid & { engine: string }>(this.#pool, LATEST, [engineIds]);
    const found = new Map(rows.map(({ engine, ...said }) => [engine, said]));
    return engineIds.map((id) => found.get(id) ?? null);
  }
}
