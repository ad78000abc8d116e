import { isTold } from '../../webhooks/sql/told-sql.ts';
import { NOT_READ_STATES, notReadSql, OPEN_STATES } from '../model/states.ts';
import { PLAIN_COLUMNS } from '../store/find.ts';
import { SHOWN_REQUEST, WITH_LIFE } from '../store/texts/left-sql.ts';
import { hasText } from './text-search.ts';

/** The parameters of every list, in their order; null narrows nothing. */
const PARAMETERS = [
  'accountId',
  'belowId', // above all that the filter can match
  'fromId', // not above any that it can match
  'statuses',
  'engine',
  'mode',
  'from',
  'to',
  'changedSince',
  'most',
  'keyId',
  'chargedFailures',
  'ids',
  'effective', // whether this large column is read, and so the next three
  'notes',
  'metadata',
  'appliedSettings',
  'errorCode',
  'idempotencyKey',
  'webhook',
] as const;
type Parameter = (typeof PARAMETERS)[number];

/** What a list is asked for. */
export type ListValues = Readonly<Record<Parameter, unknown>>;

/** The values of a statement: those of every list, and what the statement takes beside them. */
export function valuesOf(list: ListValues, ...more: readonly unknown[]): unknown[] {
  return [...PARAMETERS.map((name) => list[name]), ...more];
}

/** The n-th parameter that a statement takes beside those of every list, from 1. */
function beside(n: number): string {
  return `$${PARAMETERS.length + n}`;
}

const $ = Object.fromEntries(PARAMETERS.map((name, i) => [name, `$${i + 1}`])) as Readonly<Record<Parameter, string>>; // of each

/** Of request `r` with `WITH_LIFE`. */
const COLUMNS = `${PLAIN_COLUMNS}, case when ${$.effective}::boolean then ${SHOWN_REQUEST.effective} end as effective,
  case when ${$.notes}::boolean then ${SHOWN_REQUEST.warnings} else '[]' end as notes,
  case when ${$.metadata}::boolean then ${SHOWN_REQUEST.metadata} end as metadata,
  case when ${$.appliedSettings}::boolean then ${SHOWN_REQUEST.applied_settings} end as "appliedSettings"`;

const WITHIN = `r.id < ${$.belowId} and r.id >= ${$.fromId}`;
const MEETS = `(${$.statuses}::text[] is null or r.status = any(${$.statuses}::text[]))
  and (${$.engine}::text is null or r.engine = ${$.engine}) and (${$.mode}::text is null or r.mode = ${$.mode})
  and (${$.from}::timestamptz is null or r.created_at >= ${$.from}) and (${$.to}::timestamptz is null or r.created_at < ${$.to})
  and (${$.changedSince}::timestamptz is null or greatest(r.created_at, r.started_at, r.finished_at) > ${$.changedSince})
  and (${$.keyId}::text is null or r.key_id = ${$.keyId}) and (not ${$.chargedFailures}::boolean or (${notReadSql('r')} and r.cost > 0))
  and (${$.ids}::text[] is null or r.id = any(${$.ids})) and (${$.errorCode}::text is null or r.error_code = ${$.errorCode})
  and (${$.idempotencyKey}::text is null or r.idempotency_key = ${$.idempotencyKey}) and (${$.webhook}::text is null or ${isTold('r.id', $.webhook)})`;
const WANTED = `${WITHIN} and ${MEETS}`;
const NEWEST = `order by r.id desc limit ${$.most}`;

/** Statuses that few requests end with: `ocr_request_unusual_index` and `ocr_request_account_unusual_index` hold those. */
export const UNUSUAL = [...NOT_READ_STATES, 'partial'] as const;
/** In the words of the indexes. */
const IS_UNUSUAL = `r.status in (${UNUSUAL.map((status) => `'${status}'`).join(', ')})`;
const OF_ONE = `r.account_id = ${$.accountId}`;
const OF_EACH = `${$.accountId}::uuid is null`;
const TOOK = 'r.finished_at - r.created_at as took';

/** Each part by an index that holds no other rows. */
function list(name: string, parts: readonly string[]) {
  const selects = parts.map(
    (part) => `(select ${COLUMNS} from ocr_request r ${WITH_LIFE} where ${part} and ${WANTED} ${NEWEST})`,
  );
  return { name, text: `select * from (${selects.join(' union all ')}) mine order by id desc limit ${$.most}` };
}

/** What statements with a text take beside the parameters of every list. */
const TEXT = beside(1);
const LOOKED_AT = beside(2);

/**
 * The newest `LOOKED_AT` requests of the parts, each with its place, and `found`: whether it meets the filter and has the text. No
 * index has texts, so this bounds how many rows are read, however few are found.
 */
function looked(parts: readonly string[]): string {
  const selects = parts.map(
    (part) => `(select r.id, ${TOOK}, (${MEETS} and ${hasText('r', TEXT)}) is true as found
      from ocr_request r where ${part} and ${WITHIN} order by r.id desc limit ${LOOKED_AT})`,
  );
  return `(select id, took, found, row_number() over (order by id desc) as place
    from (${selects.join(' union all ')}) mine order by id desc limit ${LOOKED_AT}) looked`;
}

/** The newest requests with the text, and the last one that was looked at where older ones may follow (`isLast`). */
function search(name: string, parts: readonly string[]) {
  return {
    name,
    text: `
    with hits as (
      select id, found, place from ${looked(parts)} where found or place = ${LOOKED_AT} order by id desc limit ${$.most}
    )
    select ${COLUMNS}, hits.found, hits.place = ${LOOKED_AT} as "isLast" from hits join ocr_request r using (id) ${WITH_LIFE} order by r.id desc`,
  };
}

/** Of these ids the ones that took longest, from acceptance to end. */
function longest(latest: string, size: string): string {
  return `
    with latest as materialized (${latest}),
    longest as (
      select id, took from latest where took is not null order by took desc, id desc limit ${size}
    )
    select ${COLUMNS} from longest join ocr_request r using (id) ${WITH_LIFE} order by longest.took desc, r.id desc`;
}

function slowest(name: string, part: string) {
  return {
    name,
    text: longest(`select r.id, ${TOOK} from ocr_request r where ${part} and ${WANTED} ${NEWEST}`, beside(1)),
  };
}

function slowestWithText(name: string, part: string) {
  return { name, text: longest(`select id, took from ${looked([part])} where found limit ${$.most}`, beside(3)) };
}

const openOnes = (whose: string) => OPEN_STATES.map((status) => `${whose} and r.status = '${status}'`);
const endedOnes = `${OF_ONE} and r.finished_at is not null`;

/** The parts of each list: by whose requests it has, and which of them the filter can match at all (`kindOf`). */
const PARTS = {
  account: {
    any: [endedOnes, ...openOnes(OF_ONE)],
    unusual: [`${OF_ONE} and ${IS_UNUSUAL}`],
    open: openOnes(OF_ONE),
  },
  all: { any: [OF_EACH], unusual: [`${OF_EACH} and ${IS_UNUSUAL}`], open: openOnes(OF_EACH) },
} as const;
export type Whose = keyof typeof PARTS;
export type Kind = keyof (typeof PARTS)['all'];

function ofKinds(make: typeof list, what: string, whose: Whose) {
  const { any, unusual, open } = PARTS[whose];
  return {
    any: make(`${what}-of-${whose}`, any),
    unusual: make(`${what}-of-${whose}-unusual`, unusual),
    open: make(`${what}-of-${whose}-open`, open),
  };
}

/** Requests, newest first. */
export const NEWEST_FIRST = {
  account: ofKinds(list, 'requests', 'account'),
  all: ofKinds(list, 'requests', 'all'),
};

/** Those with a text, newest first. Beside the parameters of every list: the text, and how many requests are looked at. */
export const WITH_TEXT = {
  account: ofKinds(search, 'search', 'account'),
  all: ofKinds(search, 'search', 'all'),
};

/** Requests that have ended, the slowest first. Beside the others: how many of them. */
export const SLOWEST = {
  account: slowest('slowest-of-account', endedOnes),
  all: slowest('slowest-of-all', OF_EACH),
};

/** Those with a text. Beside the others: the text, how many requests are looked at, and how many are wanted. */
export const SLOWEST_WITH_TEXT = {
  account: slowestWithText('slowest-search-of-account', endedOnes),
  all: slowestWithText('slowest-search-of-all', OF_EACH),
};
