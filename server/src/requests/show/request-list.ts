import { cutPage } from '../../database/paging/page-info.type.ts';
import { type Pool, query } from '../../database/pool.ts';
import { WaitingLine } from '../../platform/concurrency/waiting-line.ts';
import { AppError } from '../../platform/errors.ts';
import { lowestId } from '../../platform/ids.ts';
import { DeliveryStatus } from '../../webhooks/delivery.ts';
import { isTold } from '../../webhooks/told-sql.ts';
import { METADATA } from '../judge/kept-sql.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { RequestStatus } from '../model/request-enums.ts';
import { isNotRead, NOT_READ_STATES, OPEN_STATES } from '../model/states.ts';
import { PLAIN_COLUMNS, toRequest } from '../store/find.ts';
import type { RequestFilter } from './request-filter.input.ts';
import type { RequestPage } from './request-page.type.ts';

/** Ids hold the time of the process that made them, rows that of the database. */
const CLOCKS_DIFFER_MS = 60 * 60 * 1000;
/** How long before a change its request can have been accepted, for the change to be listed. */
const CHANGES_REACH_BACK_MS = 24 * 60 * 60 * 1000;
/** An event is sent a moment after its row was stamped: what falls between the two is listed once more. */
const OVERLAP_MS = 10_000;
const REQUEST_ID = /^ocr_[0-9A-HJKMNP-TV-Z]{26}$/;
const MOST_IDS = 100;
/** Among so many of the newest that are wanted, the slowest are looked for: the time for it does not grow with the table. */
export const SLOWEST_AMONG = 20_000;
const STATUSES: readonly RequestStatus[] = Object.values(RequestStatus);
const ABOVE_ALL_IDS = 'ocr_~';
/** A filter that few requests match reads many: owners leave a connection of the reports to operators. */
const OWNERS_LINE = {
  atOnce: 2,
  mostOf: 1,
  waiting: 200,
  waitingOf: 20,
  waitMs: 10_000,
  message: 'Too many lists of requests are being read. Try again in a moment.',
};

/** What a list shows of large columns, which are read only then. */
const LARGE = {
  effective: ['understood', 'outputFormat', 'renderedBody', 'extractedTextPlain', 'includedPages'],
  notes: ['warnings'],
  metadata: ['metadata'],
  appliedSettings: ['appliedSettings'],
} as const satisfies Partial<Record<keyof OcrRequest, readonly string[]>>;

const COLUMNS = `${PLAIN_COLUMNS}, case when $14::boolean then r.effective end as effective,
  case when $15::boolean then r.warnings else '[]' end as notes, case when $16::boolean then ${METADATA} end as metadata,
  case when $17::boolean then r.applied_settings end as "appliedSettings"`;

const WANTED = `
  r.id < $2 and r.id >= $3 and ($4::text[] is null or r.status = any($4::text[]))
  and ($5::text is null or r.engine = $5) and ($6::text is null or r.mode = $6)
  and ($7::timestamptz is null or r.created_at >= $7) and ($8::timestamptz is null or r.created_at < $8)
  and ($9::timestamptz is null or greatest(r.created_at, r.started_at, r.finished_at) > $9)
  and ($11::text is null or r.key_id = $11) and (not $12::boolean or (${isNotRead('r')} and r.cost > 0))
  and ($13::text[] is null or r.id = any($13)) and ($18::text is null or r.error_code = $18)
  and ($19::text is null or r.idempotency_key = $19) and ($20::text is null or ${isTold('r.id', '$20')})`;
const NEWEST = 'order by r.id desc limit $10';

/** Statuses that few requests end with: `ocr_request_unusual_index` and `ocr_request_account_unusual_index` hold those. */
const UNUSUAL = [...NOT_READ_STATES, 'partial'] as const;
/** In the words of the indexes. */
const IS_UNUSUAL = `r.status in (${UNUSUAL.map((status) => `'${status}'`).join(', ')})`;
const OF_ONE = 'r.account_id = $1';
const OF_EACH = '$1::uuid is null';

/** Each part by an index that holds no other rows. */
function list(name: string, parts: readonly string[]) {
  const selects = parts.map((part) => `(select ${COLUMNS} from ocr_request r where ${part} and ${WANTED} ${NEWEST})`);
  return { name, text: `select * from (${selects.join(' union all ')}) mine order by id desc limit $10` };
}

/** The ids of the newest that are wanted, and of those the ones that took longest, from acceptance to end. */
function slowest(name: string, parts: readonly string[]) {
  const selects = parts.map(
    (part) =>
      `(select r.id, r.finished_at - r.created_at as took from ocr_request r where ${part} and ${WANTED} ${NEWEST})`,
  );
  return {
    name,
    text: `
    with latest as materialized (select * from (${selects.join(' union all ')}) mine order by id desc limit $10),
    longest as (
      select id, took from latest where took is not null order by took desc, id desc limit $21
    )
    select ${COLUMNS} from longest join ocr_request r using (id) order by longest.took desc, r.id desc`,
  };
}

const openOnes = (whose: string) => OPEN_STATES.map((status) => `${whose} and r.status = '${status}'`);
const endedOnes = `${OF_ONE} and r.finished_at is not null`;

const OF_ACCOUNT = {
  any: list('requests-of-account', [endedOnes, ...openOnes(OF_ONE)]),
  unusual: list('requests-of-account-unusual', [`${OF_ONE} and ${IS_UNUSUAL}`]),
  open: list('requests-of-account-open', openOnes(OF_ONE)),
};
const OF_ALL = {
  any: list('requests-of-all', [OF_EACH]),
  unusual: list('requests-of-all-unusual', [`${OF_EACH} and ${IS_UNUSUAL}`]),
  open: list('requests-of-all-open', openOnes(OF_EACH)),
};

/** Requests that have ended, the slowest first. */
const SLOWEST = {
  ofAccount: slowest('slowest-of-account', [endedOnes]),
  ofAll: slowest('slowest-of-all', [OF_EACH]),
};

/** Lists of requests, newest first, page by page. */
export class RequestList {
  readonly #pool: Pool;
  readonly #owners = new WaitingLine(OWNERS_LINE);

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Requests of one account, without any text; of all accounts for null. `after`: the last id of the page before.
   * `shown`: the fields that are asked for. `party`: the account that takes its turn for it; null for operators.
   */
  async page(
    accountId: string | null,
    filter: RequestFilter,
    { size, after, shown, party }: PageOptions,
  ): Promise<RequestPage> {
    if (after !== null && !REQUEST_ID.test(after)) throw new AppError('invalid_request', 'after: is not a cursor.');
    const statements = accountId === null ? OF_ALL : OF_ACCOUNT;
    const values = valuesOf(accountId, filter, { most: size + 1, after, shown });
    using _turn = party === null ? null : await this.#owners.take(party);
    const rows = await query<Partial<OcrRequest>>(this.#pool, statements[kindOf(filter)], values);
    return cutPage(
      rows.map((row) => toRequest(row)),
      { size, after },
      ({ id }) => id,
    );
  }

  /** Of the newest `SLOWEST_AMONG` that the filter wants, those that took longest from acceptance to end. */
  async slowest(
    accountId: string | null,
    filter: RequestFilter,
    { size, shown }: { size: number; shown: ReadonlySet<string> },
  ): Promise<OcrRequest[]> {
    const statement = accountId === null ? SLOWEST.ofAll : SLOWEST.ofAccount;
    const values = valuesOf(accountId, filter, { most: SLOWEST_AMONG, after: null, shown });
    const rows = await query<Partial<OcrRequest>>(this.#pool, statement, [...values, size]);
    return rows.map((row) => toRequest(row));
  }
}

interface PageOptions {
  readonly size: number;
  readonly after: string | null;
  readonly shown: ReadonlySet<string>;
  readonly party: string | null;
}

interface Wish {
  readonly most: number;
  readonly after: string | null;
  readonly shown: ReadonlySet<string>;
}

/** What the statements take, in order. Throws for what no list can be of. */
function valuesOf(accountId: string | null, filter: RequestFilter, { most, after, shown }: Wish): unknown[] {
  if ((filter.ids?.length ?? 0) > MOST_IDS || filter.ids?.some((id) => !REQUEST_ID.test(id))) {
    throw new AppError('invalid_request', `filter.ids: must be at most ${MOST_IDS} ids of requests.`);
  }
  const changedSince = filter.changedSince == null ? null : new Date(timeOf(filter.changedSince) - OVERLAP_MS);
  const isShown = (column: keyof typeof LARGE) => LARGE[column].some((field) => shown.has(field));
  return [
    accountId,
    highestOf(after, filter),
    lowestOf(filter.from ?? null, changedSince, filter.ids ?? null),
    statusesOf(filter.status ?? null),
    filter.engine ?? null,
    filter.mode ?? null,
    filter.from ?? null,
    filter.to ?? null,
    changedSince,
    most,
    filter.keyId ?? null,
    filter.chargedFailures ?? false,
    filter.ids ?? null,
    isShown('effective'),
    isShown('notes'),
    isShown('metadata'),
    isShown('appliedSettings'),
    filter.errorCode ?? null,
    filter.idempotencyKey ?? null,
    webhookOf(filter.webhook ?? null),
  ];
}

/** Throws for a status that no request can have: a typo would look like an empty list. */
function statusesOf(given: readonly RequestStatus[] | null): readonly RequestStatus[] | null {
  if (given?.some((status) => !STATUSES.includes(status))) {
    throw new AppError('invalid_request', `filter.status: must be among ${STATUSES.join(', ')}.`);
  }
  return given;
}

function webhookOf(given: string | null): string | null {
  const states: readonly string[] = Object.values(DeliveryStatus);
  if (given === null || states.includes(given)) return given;
  throw new AppError('invalid_request', `filter.webhook: must be one of ${states.join(', ')}.`);
}

function timeOf(cursor: string): number {
  const time = Date.parse(cursor);
  if (Number.isNaN(time)) throw new AppError('invalid_request', 'changedSince: is not the cursor of an event.');
  return time;
}

/** Which requests can be wanted at all. */
function kindOf({ status, chargedFailures, errorCode }: RequestFilter): keyof typeof OF_ALL {
  const isAmong = (some: readonly string[]) => status?.every((each) => some.includes(each)) ?? false;
  if (chargedFailures || errorCode != null || isAmong(UNUSUAL)) return 'unusual';
  return isAmong(OPEN_STATES) ? 'open' : 'any';
}

/** Every request that is wanted has a lower id. */
function highestOf(after: string | null, { to, ids }: RequestFilter): string {
  const bounds = [after ?? ABOVE_ALL_IDS];
  if (to != null) bounds.push(lowestId('ocr_', new Date(to.getTime() + CLOCKS_DIFFER_MS)));
  const highest = ids?.toSorted().at(-1);
  if (highest !== undefined) bounds.push(`${highest}0`);
  return bounds.toSorted()[0] ?? ABOVE_ALL_IDS;
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
