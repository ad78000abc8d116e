import { cutPage } from '../database/page-info.type.ts';
import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../errors.ts';
import { lowestId } from '../ids.ts';
import { REQUEST_COLUMNS, toRequest } from './lookup.ts';
import type { OcrRequest } from './ocr-request.ts';
import type { RequestFilter } from './request-filter.input.ts';
import type { RequestPage } from './request-page.type.ts';

/** Ids hold the time of the process that made them, rows that of the database. */
const CLOCKS_DIFFER_MS = 60 * 60 * 1000;
/** How long before a change its request can have been accepted, for the change to be listed. */
const CHANGES_REACH_BACK_MS = 24 * 60 * 60 * 1000;
/** An event is told a moment after its row was stamped: what falls between the two is listed once more. */
const OVERLAP_MS = 10_000;
const REQUEST_ID = /^ocr_[0-9A-HJKMNP-TV-Z]{26}$/;
const MOST_IDS = 100;
const ABOVE_ALL_IDS = 'ocr_~';

const WANTED = `
  r.id < $2 and r.id >= $3 and ($4::text[] is null or r.status = any($4::text[]))
  and ($5::text is null or r.engine = $5) and ($6::text is null or r.mode = $6)
  and ($7::timestamptz is null or r.created_at >= $7) and ($8::timestamptz is null or r.created_at < $8)
  and ($9::timestamptz is null or greatest(r.created_at, r.started_at, r.finished_at) > $9)
  and ($11::text is null or r.key_id = $11) and (not $12::boolean or (r.status in ('failed', 'rejected') and r.cost > 0))
  and ($13::text[] is null or r.id = any($13))`;
const NEWEST = 'order by r.id desc limit $10';

/** Each part by its own index: finished ones by the account's, those that wait or are at work by theirs. */
const OF_ACCOUNT = {
  name: 'requests-of-account',
  text: `
  select * from (
    (select ${REQUEST_COLUMNS} from ocr_request r
     where r.account_id = $1 and r.finished_at is not null and ${WANTED} ${NEWEST})
    union all
    (select ${REQUEST_COLUMNS} from ocr_request r where r.account_id = $1 and r.status = 'queued' and ${WANTED} ${NEWEST})
    union all
    (select ${REQUEST_COLUMNS} from ocr_request r
     where r.account_id = $1 and r.status = 'processing' and ${WANTED} ${NEWEST})
  ) mine order by id desc limit $10`,
};

const OF_ALL = {
  name: 'requests-of-all',
  text: `select ${REQUEST_COLUMNS} from ocr_request r where $1::uuid is null and ${WANTED} ${NEWEST}`,
};

/** Lists of requests, newest first, page by page. */
export class RequestList {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Requests of one account, without any text; of all accounts for null. `after`: the last id of the page before. */
  async page(
    accountId: string | null,
    filter: RequestFilter,
    { size, after }: { size: number; after: string | null },
  ): Promise<RequestPage> {
    if (after !== null && !REQUEST_ID.test(after)) throw new AppError('invalid_request', 'after: is not a cursor.');
    if ((filter.ids?.length ?? 0) > MOST_IDS || filter.ids?.some((id) => !REQUEST_ID.test(id))) {
      throw new AppError('invalid_request', `filter.ids: must be at most ${MOST_IDS} ids of requests.`);
    }
    const changedSince = filter.changedSince == null ? null : new Date(timeOf(filter.changedSince) - OVERLAP_MS);
    const rows = await query<Partial<OcrRequest>>(this.#pool, accountId === null ? OF_ALL : OF_ACCOUNT, [
      accountId,
      after ?? ABOVE_ALL_IDS,
      lowestOf(filter.from ?? null, changedSince, filter.ids ?? null),
      filter.status ?? null,
      clean(filter.engine),
      clean(filter.mode),
      filter.from ?? null,
      filter.to ?? null,
      changedSince,
      size + 1,
      clean(filter.keyId),
      filter.chargedFailures ?? false,
      filter.ids ?? null,
    ]);
    return cutPage(
      rows.map((row) => toRequest({ ...row, preview: null })),
      size,
      ({ id }) => id,
    );
  }
}

function timeOf(cursor: string): number {
  const time = Date.parse(cursor);
  if (Number.isNaN(time)) throw new AppError('invalid_request', 'changedSince: is not the cursor of an event.');
  return time;
}

/** No request that is wanted has a lower id. */
function lowestOf(from: Date | null, changedSince: Date | null, ids: readonly string[] | null): string {
  const since = Math.max(
    from ? from.getTime() - CLOCKS_DIFFER_MS : 0,
    changedSince ? changedSince.getTime() - CHANGES_REACH_BACK_MS : 0,
  );
  const [lowest = ''] = ids?.toSorted() ?? [];
  const bySpan = lowestId('ocr_', new Date(since));
  return lowest > bySpan ? lowest : bySpan;
}

/** Nothing that is stored holds a NUL, which PostgreSQL would refuse. */
function clean(text: string | null | undefined): string | null {
  return text?.replaceAll('\0', '\ufffd') ?? null;
}
