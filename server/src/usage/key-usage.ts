import DataLoader from 'dataloader';
import type { Context } from '../accounts/callers/context.ts';
import type { ApiKey } from '../accounts/model/api-key.ts';
import { type Pool, query } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import { lowestIdFrom } from '../platform/ids.ts';
import { startOfDay } from '../platform/numbers/times.ts';
import type { KeyUsage } from './key-usage.type.ts';
import { COLUMNS, OF_REQUEST, UNROLLED_USAGE } from './usage-counts.ts';

/** The present one is the last of them, as on the pages of what accounts used. */
const DAYS = 30;

const SPENT = `key_id as "keyId", sum(requests)::float8 as requests, sum(pages)::float8 as pages, sum(cost)::bigint as spent`;

/** Whole days from $3 on as they are counted, and what was recorded of them since. */
const OF_KEYS = {
  name: 'usage-of-keys',
  text: `select ${SPENT} from (
           select key_id, ${COLUMNS} from usage_day
           where account_id = any($1::uuid[]) and day >= ($3::timestamptz at time zone 'UTC')::date
             and key_id = any($2::text[])
           union all
           select key_id, ${COLUMNS} from usage_event
           where account_id = any($1::uuid[]) and ${UNROLLED_USAGE} and hour >= $3 and key_id = any($2::text[])
         ) parts group by key_id having sum(requests) > 0`,
};

/** The same from the requests themselves, those of ids from $4 on, as long as they are not all counted. */
const OF_KEYS_BY_ROWS = {
  name: 'usage-of-keys-by-rows',
  text: `select ${SPENT} from (
           select ${OF_REQUEST} from ocr_request
           where account_id = any($1::uuid[]) and id >= $4 and created_at >= $3 and finished_at is not null
             and key_id = any($2::text[])
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
    const since = startOfDay(new Date(), DAYS - 1);
    const wanted = [accounts, keys.map(({ id }) => id), since];
    const rows = (await this.#ready.look())
      ? await query<KeyUsage & { keyId: string }>(this.#pool, OF_KEYS, wanted)
      : await query<KeyUsage & { keyId: string }>(this.#pool, OF_KEYS_BY_ROWS, [...wanted, lowestIdFrom(since)]);
    const found = new Map(rows.map((row) => [row.keyId, row]));
    return keys.map(({ id }) => found.get(id) ?? NOTHING);
  }
}
