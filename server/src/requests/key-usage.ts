import DataLoader from 'dataloader';
import type { ApiKey } from '../accounts/api-key.ts';
import type { Context } from '../accounts/context.ts';
import { type Pool, query } from '../database/pool.ts';
import { lowestId } from '../ids.ts';
import type { KeyUsage } from './key-usage.type.ts';

const LOOKED_BACK_MS = 30 * 24 * 60 * 60 * 1000;

const OF_KEYS = {
  name: 'usage-of-keys',
  text: `select key_id as "keyId", count(*)::float8 as requests, coalesce(sum(pages), 0)::float8 as pages,
           coalesce(sum(cost), 0)::bigint as spent
         from ocr_request where account_id = any($1::uuid[]) and id >= $2 and finished_at is not null
           and key_id = any($3::text[]) group by key_id`,
};

const NOTHING: KeyUsage = { requests: 0, pages: 0, spent: 0n };

/** What keys were used for: one statement for all keys of an answer. */
export class KeyUsageReader {
  readonly #pool: Pool;
  readonly #loaders = new WeakMap<Context, DataLoader<ApiKey, KeyUsage>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  of(key: ApiKey, context: Context): Promise<KeyUsage> {
    const loader = this.#loaders.get(context) ?? new DataLoader((keys: readonly ApiKey[]) => this.#read(keys));
    this.#loaders.set(context, loader);
    return loader.load(key);
  }

  async #read(keys: readonly ApiKey[]): Promise<KeyUsage[]> {
    const accounts = [...new Set(keys.map(({ accountId }) => accountId))];
    const since = lowestId('ocr_', new Date(Date.now() - LOOKED_BACK_MS));
    const rows = await query<KeyUsage & { keyId: string }>(this.#pool, OF_KEYS, [
      accounts,
      since,
      keys.map(({ id }) => id),
    ]);
    const found = new Map(rows.map((row) => [row.keyId, row]));
    return keys.map(({ id }) => found.get(id) ?? NOTHING);
  }
}
