import DataLoader from 'dataloader';
import type { Context } from '../../accounts/callers/context.ts';
import { LedgerTransfer } from '../../billing/ledger-transfer.ts';
import { selectionOf } from '../../database/columns.ts';
import { type Pool, query, type Statement } from '../../database/pool.ts';
import { rangeOfIds } from '../../platform/ids.ts';
import { Delivery } from '../../webhooks/delivery.ts';
import { OF_REQUESTS as DELIVERIES } from '../../webhooks/delivery-log.ts';
import { Attempt } from '../model/attempt.ts';
import type { OcrPage } from '../model/ocr-page.ts';
import type { PositionTurns } from '../places/position-turns.ts';
import type { TimesSoFar } from '../times/times-so-far.ts';
import { type LayoutLoaders, layoutLoaders } from './layout-loaders.ts';
import { SHOWN_ATTEMPT, SHOWN_OF } from './texts/left-sql.ts';
import { PAGE_COLUMNS, PageTexts } from './texts/page-texts.ts';
import type { LargeTexts } from './texts/text-turns.ts';

/** Rows that belong to requests, loaded for all requests of an answer at once. */
export interface RequestLoaders {
  readonly pages: DataLoader<string, OcrPage[]>;
  /** The first pages of each request after a page number, `first` at most. */
  readonly pagesAfter: (after: number, first: number) => DataLoader<string, OcrPage[]>;
  readonly attempts: DataLoader<string, Attempt[]>;
  readonly transfers: DataLoader<string, LedgerTransfer[]>;
  /** Attempts to deliver the request's webhook, oldest first. */
  readonly deliveries: DataLoader<string, Delivery[]>;
  /** The label of a key; null for one without. */
  readonly keyLabels: DataLoader<string, string | null>;
  /** The e-mail address of an account. */
  readonly emails: DataLoader<string, string | null>;
  /** The times of a large request's run up to its last stored page; null before its first one, and for an ended request. */
  readonly timesSoFar: DataLoader<string, TimesSoFar | null>;
}

/** Everything that resolvers load of requests. */
export type Loaders = RequestLoaders & LayoutLoaders;

/** Pages of the requests of `SHOWN_OF` ($2, $3: the range of their ids); `more` narrows those of each request. */
function pages(name: string, more = '') {
  return {
    name,
    repeatable: true,
    text: `select ${PAGE_COLUMNS}
         from ${SHOWN_OF} r cross join lateral (
           select * from ocr_page where request_id = r.id and request_id between $2 and $3${more}) p order by p.request_id, p.number`,
  };
}
const PAGES = pages('pages-of-requests');
const PAGES_AFTER = pages('pages-of-requests-after', ' and number > $4 order by number limit $5');

const ATTEMPTS = {
  name: 'attempts-of-requests',
  repeatable: true,
  text: `select ${selectionOf(Attempt, 'a', { without: ['recordedXid'], columns: SHOWN_ATTEMPT })}
         from ${SHOWN_OF} r cross join lateral (
           select * from attempt where request_id = r.id and request_id between $2 and $3) a
         order by a.request_id, a.started_at, a.number`,
};

/** In `attempt_id` a refund has an id of its own, which is not shown. */
const TRANSFER = selectionOf(LedgerTransfer, 't', {
  without: ['recordedXid', 'idempotencyKey'],
  as: { id: 't.id::text', attemptId: `case when t.kind <> 'refund' then t.attempt_id end` },
});

const TRANSFERS = {
  name: 'transfers-of-requests',
  repeatable: true,
  text: `select ${TRANSFER} from ledger_transfer t where request_id = any($1::text[]) order by t.id`,
};

const KEY_LABELS = {
  name: 'labels-of-keys',
  text: 'select id, label as name from api_key where id = any($1::text[])',
  repeatable: true,
};

const EMAILS = {
  name: 'emails-of-accounts',
  repeatable: true,
  text: 'select id, email as name from account where id = any($1::uuid[])',
};

/** Pages are stored side by side: the latest measurement is the one with the largest sum. */
const TIMES_SO_FAR = {
  name: 'times-of-running-jobs',
  repeatable: true,
  text: `select distinct on (p.request_id) p.request_id as "requestId", p.times
         from job_page p join ocr_request r on r.id = p.request_id and (p.times->>'fence')::int = r.fence
         where p.request_id = any($1::text[])
         order by p.request_id,
           (p.times->>'engineMs')::int + (p.times->>'renderMs')::int + (p.times->>'placeMs')::int desc`,
};

/** One set of loaders an answer: what was read for one caller is never kept for the next. */
export function requestLoaders(
  pool: Pool,
  { positions, texts }: { positions: PositionTurns; texts: LargeTexts },
): (context: Context) => Loaders {
  const pageTexts = new PageTexts(texts);
  const known = new WeakMap<Context, Loaders>();
  return (context) => {
    const asker = { party: partyOf(context), hangUp: context.hangUp };
    const pagesOf = (rows: readonly Record<string, unknown>[]) => pageTexts.pagesOf(asker, rows);
    const loaders =
      known.get(context) ?? makeLoaders(pool, { layouts: layoutLoaders(pool, asker, positions), pagesOf });
    known.set(context, loaders);
    return loaders;
  };
}

/** The account that takes its turn; '' for callers without one. */
function partyOf({ caller }: Context): string {
  return caller?.accountId ?? '';
}

interface LoadersDeps {
  readonly layouts: LayoutLoaders;
  readonly pagesOf: (rows: readonly Record<string, unknown>[]) => Promise<OcrPage[]>;
}

function makeLoaders(pool: Pool, { layouts, pagesOf }: LoadersDeps): Loaders {
  const load = async <Row extends { requestId: string | null }>(
    statement: Statement,
    ids: readonly string[],
    make: () => Row,
    range: readonly (string | number)[] = [],
  ) => {
    const rows = await query<Record<string, unknown>>(pool, statement, [[...ids], ...range]);
    return grouped(
      ids,
      rows.map((row) => Object.assign(make(), row)),
    );
  };
  const loadPages = async (statement: Statement, ids: readonly string[], range: readonly (string | number)[]) =>
    grouped(ids, await pagesOf(await query(pool, statement, [[...ids], ...range])));
  const slices = new Map<string, DataLoader<string, OcrPage[]>>();
  const pagesAfter = (after: number, first: number) => {
    const values = (ids: readonly string[]) => [...rangeOfIds(ids), after, first];
    const makeSlice = () => new DataLoader<string, OcrPage[]>((ids) => loadPages(PAGES_AFTER, ids, values(ids)));
    const known = slices.get(`${after} ${first}`) ?? makeSlice();
    slices.set(`${after} ${first}`, known);
    return known;
  };
  return {
    ...layouts,
    pages: new DataLoader((ids) => loadPages(PAGES, ids, rangeOfIds(ids))),
    pagesAfter,
    attempts: new DataLoader((ids) => load(ATTEMPTS, ids, () => new Attempt(), rangeOfIds(ids))),
    transfers: new DataLoader((ids) => load(TRANSFERS, ids, () => new LedgerTransfer())),
    deliveries: new DataLoader((ids) => load(DELIVERIES, ids, () => new Delivery())),
    keyLabels: new DataLoader((ids) => names(pool, KEY_LABELS, ids)),
    emails: new DataLoader((ids) => names(pool, EMAILS, ids)),
    timesSoFar: new DataLoader((ids) => timesSoFar(pool, ids)),
  };
}

async function names(pool: Pool, statement: Statement, ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await query<{ id: string; name: string | null }>(pool, statement, [[...ids]]);
  const found = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.map((id) => found.get(id) ?? null);
}

async function timesSoFar(pool: Pool, ids: readonly string[]): Promise<(TimesSoFar | null)[]> {
  const rows = await query<{ requestId: string; times: TimesSoFar }>(pool, TIMES_SO_FAR, [[...ids]]);
  const found = new Map(rows.map(({ requestId, times }) => [requestId, times]));
  return ids.map((id) => found.get(id) ?? null);
}

function grouped<Row extends { requestId: string | null }>(ids: readonly string[], rows: readonly Row[]): Row[][] {
  const groups = new Map<string, Row[]>(ids.map((id) => [id, []]));
  for (const row of rows) groups.get(row.requestId ?? '')?.push(row);
  return ids.map((id) => groups.get(id) ?? []);
}
