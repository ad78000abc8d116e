import DataLoader from 'dataloader';
import type { Context } from '../accounts/callers/context.ts';
import type { ApiKey } from '../accounts/model/api-key.ts';
import { type Pool, query } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import { lowestId } from '../platform/ids.ts';
import type { KeyUsage } from './key-usage.type.ts';
import { COLUMNS, OF_REQUEST, UNROLLED_USAGE } from './usage-counts.ts';

const LOOKED_BACK_MS = 30 * 24 * 60 * 60 * 1000;

const DAY_MS = 24 * 60 * 60 * 1000;
const CLOCKS_DIFFER_MS = 60 * 60 * 1000;

const SPENT = `key_id as "keyId", sum(requests)::float8 as requests, sum(pages)::float8 as pages, sum(cost)::bigint as spent`;

/** Whole days from $5 on as they are counted, what was recorded of them since, and the rest of the day of $2 from its rows. */
const OF_KEYS = {
  name: 'usage-of-keys',
  text: `select ${SPENT} from (
           select key_id, ${COLUMNS} from usage_day
           where account_id = any($1::uuid[]) and day >= ($5::timestamptz at time zone 'UTC')::date
             and key_id = any($3::text[])
           union all
           select key_id, ${COLUMNS} from usage_event
           where account_id = any($1::uuid[]) and ${UNROLLED_USAGE} and hour >= $5 and key_id = any($3::text[])
           union all
           select key_id, ${COLUMNS} from (
             select ${OF_REQUEST} from ocr_request
             where account_id = any($1::uuid[]) and id >= $2 and id < $4 and created_at < $5 and finished_at is not null
               and key_id = any($3::text[])
           ) first_day
         ) parts group by key_id having sum(requests) > 0`,
};

const OF_KEYS_BY_ROWS = {
  name: 'usage-of-keys-by-rows',
  text: `select ${SPENT} from (
           select ${OF_REQUEST} from ocr_request
           where account_id = any($1::uuid[]) and id >= $2 and finished_at is not null and key_id = any($3::text[])
         ) finished group by key_id`,
};

const NOTHING: KeyUsage = { requests: 0, pages: 0, spent: 0n };

/** What keys were used for: one statement for all keys of an answer. */
export class KeyUsageReader {
  readonly #pool: Pool;
  readonly #ready: ReportsReady;
  readonly #loaders = new WeakMap<Context, DataLoader<ApiKey, KeyUsage>>();

  constructor(pool: Pool, ready: ReportsReady) {
    this.#pool = pool;
    this.#ready = ready;
  }

  of(key: ApiKey, context: Context): Promise<KeyUsage> {
    const loader = this.#loaders.get(context) ?? new DataLoader((keys: readonly ApiKey[]) => this.#read(keys));
    this.#loaders.set(context, loader);
    return loader.load(key);
  }

  async #read(keys: readonly ApiKey[]): Promise<KeyUsage[]> {
    const accounts = [...new Set(keys.map(({ accountId }) => accountId))];
    const since = new Date(Date.now() - LOOKED_BACK_MS);
    const nextDay = Math.floor(since.getTime() / DAY_MS + 1) * DAY_MS;
    const wanted = [accounts, lowestId('ocr_', since), keys.map(({ id }) => id)];
    const rows = (await this.#ready.look())
      ? await query<KeyUsage & { keyId: string }>(this.#pool, OF_KEYS, [
          ...wanted,
          lowestId('ocr_', new Date(nextDay + CLOCKS_DIFFER_MS)),
          new Date(nextDay),
        ])
      : await query<KeyUsage & { keyId: string }>(this.#pool, OF_KEYS_BY_ROWS, wanted);
    const found = new Map(rows.map((row) => [row.keyId, row]));
    return keys.map(({ id }) => found.get(id) ?? NOTHING);
  }
}
