import { keepsText } from '../../accounts/store/history-sql.ts';
import { type Pool, query } from '../../database/pool.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';

/**
 * The last words of an engine's provider when it refused the gateway itself; `words` is '' where it said nothing, or nothing that
 * may be kept.
 */
export interface ProviderSaid {
  readonly fault: ProviderFault;
  readonly words: string;
  readonly at: Date;
}

/** The words with the request that they were said to; null for a call of the service's own. */
export interface SaidToRequest extends ProviderSaid {
  readonly requestId: string | null;
}

/**
 * An SQL condition: whether the words may be kept. A provider may cite what it was sent, so they are kept no longer than the
 * request's text.
 */
function mayStand(table: string): string {
  return `(${table}.request_id = '' or exists (select from ocr_request r where r.id = ${table}.request_id
    and r.deleted_at is null and not r.discard and ${keepsText('r.account_id', 'r.created_at', 'r.finished_at')}))`;
}

/** Writes words, in the order of engines: processes that write at once would wait for each other's rows without an end. */
const WRITE = {
  name: 'provider-words-write',
  text: `
  insert into engine_words as t (engine, fault, words, said_at, request_id)
  select engine, fault, case when ${mayStand('i')} then words else '' end, at, request_id
  from json_to_recordset($1::json) as i(engine text, fault text, words text, at timestamptz, request_id text)
  order by engine
  on conflict (engine) do update set fault = excluded.fault, words = excluded.words, said_at = excluded.said_at,
    request_id = excluded.request_id
    where excluded.said_at > t.said_at`,
};

const LATEST = {
  name: 'provider-words-latest',
  text: `select engine, fault, case when ${mayStand('w')} then words else '' end as words, said_at as at
         from engine_words w where engine = any($1::text[])`,
};

const FORGET = {
  name: 'provider-words-forget',
  text: `update engine_words w set words = '' where words <> '' and ${mayStand('w')} is not true`,
};

/** The words of providers, one row for each engine, for operators: messages of attempts, which callers see, leave them out. */
export class ProviderWordStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async write(said: ReadonlyMap<string, SaidToRequest>): Promise<void> {
    const rows = [...said].map(([engine, { requestId, ...each }]) => ({
      engine,
      ...each,
      request_id: requestId ?? '',
    }));
    await query(this.#pool, WRITE, [JSON.stringify(rows)]);
  }

  /** The latest words of each engine; null where its provider never said any. */
  async latest(engineIds: readonly string[]): Promise<(ProviderSaid | null)[]> {
    const rows = await query<ProviderSaid & { engine: string }>(this.#pool, LATEST, [engineIds]);
    const found = new Map(rows.map(({ engine, ...said }) => [engine, said]));
    return engineIds.map((id) => found.get(id) ?? null);
  }

  /** Deletes words whose request keeps nothing any more. */
  async forget(): Promise<void> {
    await query(this.#pool, FORGET, []);
  }
}
