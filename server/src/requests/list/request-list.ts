import { cutPage } from '../../database/paging/page-info.type.ts';
import { type Pool, query, type Statement } from '../../database/pool.ts';
import { WaitingLine } from '../../platform/concurrency/waiting-line.ts';
import { AppError } from '../../platform/errors.ts';
import { idAboveThoseBefore, isId, lowestId, lowestIdFrom } from '../../platform/ids.ts';
import { DAY_MS } from '../../platform/numbers/times.ts';
import { DeliveryStatus } from '../../webhooks/delivery.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { Mode, RequestStatus } from '../model/request-enums.ts';
import { OPEN_STATES } from '../model/states.ts';
import { toRequest } from '../store/find.ts';
import {
  type Kind,
  type ListValues,
  NEWEST_FIRST,
  SLOWEST,
  SLOWEST_WITH_TEXT,
  UNUSUAL,
  valuesOf,
  type Whose,
  WITH_TEXT,
} from './list-sql.ts';
import type { RequestFilter } from './request-filter.input.ts';
import type { RequestPage } from './request-page.type.ts';
import { searchedText, TextSearch } from './text-search.ts';

/** Changes are listed of requests that were accepted up to this long before. */
const CHANGES_REACH_BACK_MS = DAY_MS;
/** An event is sent a moment after the time in its row: changes since this long before a cursor are listed again. */
const OVERLAP_MS = 10_000;
const MOST_IDS = 100;
/** The slowest requests are looked for among this many of the newest, so that it takes no longer as the table grows. */
export const SLOWEST_AMONG = 20_000;
/** How many requests a search for a text looks at. The next page goes on behind them. */
const SEARCHED_AMONG = 100_000;
const STATUSES: readonly RequestStatus[] = Object.values(RequestStatus);
const ABOVE_ALL_IDS = 'ocr_~';
/** A filter that few requests match reads many rows: one connection of the reports stays free for operators. */
const OWNERS_LINE = {
  permits: 2,
  permitsEach: 1,
  mostWaiting: 200,
  mostWaitingEach: 20,
  waitMs: 10_000,
  message: 'Too many lists of requests are being read. Try again in a moment.',
};

/** The GraphQL fields that need a large column: it is read only where one of them is selected. */
const LARGE = {
  effective: ['understood', 'outputFormat', 'renderedBody', 'extractedTextPlain', 'includedPages'],
  notes: ['warnings'],
  metadata: ['metadata'],
  appliedSettings: ['appliedSettings'],
} as const satisfies Partial<Record<keyof OcrRequest, readonly string[]>>;

/** Lists of requests, newest first, page by page. */
export class RequestList {
  readonly #pool: Pool;
  readonly #searchedAmong: number;
  readonly #owners = new WaitingLine(OWNERS_LINE);
  readonly #searches = new TextSearch();

  constructor(pool: Pool, { searchedAmong = SEARCHED_AMONG } = {}) {
    this.#pool = pool;
    this.#searchedAmong = searchedAmong;
  }

  /**
   * Requests of one account, without any text; of all accounts for null. `after`: the last id of the page before.
   * `shown`: the fields that are asked for. `party`: the account that takes its turn for it; null for operators.
   */
  async page(accountId: string | null, filter: RequestFilter, options: PageOptions): Promise<RequestPage> {
    const { size, after, shown, party, listed } = options;
    if (after !== null && !isId('ocr_', after)) throw new AppError('invalid_request', 'after: is not a cursor.');
    if (filter.text != null) return this.#pageWithText(accountId, filter, options);
    const statements = NEWEST_FIRST[whose(accountId)];
    const list = listValues(accountId, filter, { most: size + 1, after, shown });
    using _turn = party === null ? null : await this.#owners.take(party);
    const rows = await query<Partial<OcrRequest>>(this.#pool, statements[kindOf(filter)], valuesOf(list));
    const page = cutPage(
      rows.map((row) => listed(toRequest(row))),
      { size, after },
      ({ id }) => id,
    );
    return { ...page, searchedTo: null };
  }

  async #pageWithText(
    accountId: string | null,
    filter: RequestFilter,
    { size, after, shown, party, listed }: PageOptions,
  ): Promise<RequestPage> {
    const list = listValues(accountId, filter, { most: size + 1, after, shown });
    const statement = WITH_TEXT[whose(accountId)][kindOf(filter)];
    const rows = await this.#searches.rows(party, () =>
      query<Hit>(this.#pool, statement, valuesOf(list, searchedText(filter.text ?? ''), this.#searchedAmong)),
    );
    const found = rows.filter((row) => row.found).map(({ found: _, isLast: _last, ...row }) => listed(toRequest(row)));
    const page = cutPage(found, { size, after }, ({ id }) => id);
    const last = rows.findIndex(({ isLast }) => isLast);
    const lastRow = rows[last];
    if (!lastRow) return { ...page, searchedTo: null };
    const isFull = last >= size;
    const endCursor = isFull ? page.pageInfo.endCursor : lastRow.id;
    const pageInfo = { ...page.pageInfo, endCursor, hasNextPage: true };
    return { ...page, pageInfo, searchedTo: isFull ? null : lastRow.createdAt };
  }

  /** Of the newest `SLOWEST_AMONG` that the filter wants, those that took longest from acceptance to end. */
  async slowest(
    accountId: string | null,
    filter: RequestFilter,
    { size, shown, listed }: Pick<PageOptions, 'size' | 'shown' | 'listed'>,
  ): Promise<OcrRequest[]> {
    const list = listValues(accountId, filter, { most: SLOWEST_AMONG, after: null, shown });
    const read = (statement: Statement, ...more: readonly unknown[]) =>
      query<Partial<OcrRequest>>(this.#pool, statement, valuesOf(list, ...more));
    const { text } = filter;
    const rows =
      text == null
        ? await read(SLOWEST[whose(accountId)], size)
        : await this.#searches.rows(null, () =>
            read(SLOWEST_WITH_TEXT[whose(accountId)], searchedText(text), this.#searchedAmong, size),
          );
    return rows.map((row) => listed(toRequest(row)));
  }
}

/** A request with the text, or the last one that was looked at. */
interface Hit extends OcrRequest {
  readonly found: boolean;
  readonly isLast: boolean;
}

function whose(accountId: string | null): Whose {
  return accountId === null ? 'all' : 'account';
}

interface PageOptions {
  readonly size: number;
  readonly after: string | null;
  readonly shown: ReadonlySet<string>;
  readonly party: string | null;
  /** A request as the caller sees it in a list. */
  readonly listed: (request: OcrRequest) => OcrRequest;
}

interface Wish {
  readonly most: number;
  readonly after: string | null;
  readonly shown: ReadonlySet<string>;
}

/** What the list is asked for. Throws `invalid_request` for a filter that is not valid. */
function listValues(accountId: string | null, filter: RequestFilter, { most, after, shown }: Wish): ListValues {
  if ((filter.ids?.length ?? 0) > MOST_IDS || filter.ids?.some((id) => !isId('ocr_', id))) {
    throw new AppError('invalid_request', `filter.ids: must be at most ${MOST_IDS} ids of requests.`);
  }
  const changedSince = filter.changedSince == null ? null : new Date(timeOf(filter.changedSince) - OVERLAP_MS);
  const isShown = (column: keyof typeof LARGE) => LARGE[column].some((field) => shown.has(field));
  return {
    accountId,
    belowId: highestOf(after, filter),
    fromId: lowestOf(filter.from ?? null, changedSince, filter.ids ?? null),
    statuses: statusesOf(filter.status ?? null),
    engine: filter.engine ?? null,
    mode: oneOf('filter.mode', Mode, filter.mode ?? null),
    from: filter.from ?? null,
    to: filter.to ?? null,
    changedSince,
    most,
    keyId: filter.keyId ?? null,
    chargedFailures: filter.chargedFailures ?? false,
    ids: filter.ids ?? null,
    effective: isShown('effective'),
    notes: isShown('notes'),
    metadata: isShown('metadata'),
    appliedSettings: isShown('appliedSettings'),
    errorCode: filter.errorCode ?? null,
    idempotencyKey: filter.idempotencyKey ?? null,
    webhook: oneOf('filter.webhook', DeliveryStatus, filter.webhook ?? null),
  };
}

/** Throws for a status that no request can have: a typo would look like an empty list. */
function statusesOf(given: readonly RequestStatus[] | null): readonly RequestStatus[] | null {
  if (given?.some((status) => !STATUSES.includes(status))) {
    throw new AppError('invalid_request', `filter.status: must be among ${STATUSES.join(', ')}.`);
  }
  return given;
}

function oneOf(name: string, values: Readonly<Record<string, string>>, given: string | null): string | null {
  const known = Object.values(values);
  if (given === null || known.includes(given)) return given;
  throw new AppError('invalid_request', `${name}: must be one of ${known.join(', ')}.`);
}

function timeOf(cursor: string): number {
  const time = Date.parse(cursor);
  if (Number.isNaN(time)) throw new AppError('invalid_request', 'changedSince: is not the cursor of an event.');
  return time;
}

/** The kind of requests that the filter can match at all. */
function kindOf({ status, chargedFailures, errorCode }: RequestFilter): Kind {
  const isAmong = (some: readonly string[]) => status?.every((each) => some.includes(each)) ?? false;
  if (chargedFailures || errorCode != null || isAmong(UNUSUAL)) return 'unusual';
  return isAmong(OPEN_STATES) ? 'open' : 'any';
}

/** An id above all that the filter can match. */
function highestOf(after: string | null, { to, ids }: RequestFilter): string {
  const bounds = [after ?? ABOVE_ALL_IDS];
  if (to != null) bounds.push(idAboveThoseBefore(to));
  const highest = ids?.toSorted().at(-1);
  if (highest !== undefined) bounds.push(`${highest}0`);
  return bounds.toSorted()[0] ?? ABOVE_ALL_IDS;
}

/** An id that is not above any that the filter can match. */
function lowestOf(from: Date | null, changedSince: Date | null, ids: readonly string[] | null): string {
  const reached = new Date((changedSince?.getTime() ?? 0) - CHANGES_REACH_BACK_MS);
  const bounds = [from ? lowestIdFrom(from) : '', lowestId('ocr_', reached), ids?.toSorted()[0] ?? ''];
  return bounds.toSorted().at(-1) ?? '';
}
