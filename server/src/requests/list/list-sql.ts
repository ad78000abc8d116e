import { isTold } from '../../webhooks/sql/told-sql.ts';
import { isNotRead, NOT_READ_STATES, OPEN_STATES } from '../model/states.ts';
import { PLAIN_COLUMNS } from '../store/find.ts';
import { SHOWN_REQUEST, WITH_LIFE } from '../store/texts/left-sql.ts';
import { hasText } from './text-search.ts';

/** Of request `r` with `WITH_LIFE`. */
const COLUMNS = `${PLAIN_COLUMNS}, case when $14::boolean then ${SHOWN_REQUEST.effective} end as effective,
  case when $15::boolean then ${SHOWN_REQUEST.warnings} else '[]' end as notes,
  case when $16::boolean then ${SHOWN_REQUEST.metadata} end as metadata,
  case when $17::boolean then ${SHOWN_REQUEST.applied_settings} end as "appliedSettings"`;

const WITHIN = 'r.id < $2 and r.id >= $3';
const MEETS = `($4::text[] is null or r.status = any($4::text[]))
  and ($5::text is null or r.engine = $5) and ($6::text is null or r.mode = $6)
  and ($7::timestamptz is null or r.created_at >= $7) and ($8::timestamptz is null or r.created_at < $8)
  and ($9::timestamptz is null or greatest(r.created_at, r.started_at, r.finished_at) > $9)
  and ($11::text is null or r.key_id = $11) and (not $12::boolean or (${isNotRead('r')} and r.cost > 0))
  and ($13::text[] is null or r.id = any($13)) and ($18::text is null or r.error_code = $18)
  and ($19::text is null or r.idempotency_key = $19) and ($20::text is null or ${isTold('r.id', '$20')})`;
const WANTED = `${WITHIN} and ${MEETS}`;
const NEWEST = 'order by r.id desc limit $10';

/** Statuses that few requests end with: `ocr_request_unusual_index` and `ocr_request_account_unusual_index` hold those. */
export const UNUSUAL = [...NOT_READ_STATES, 'partial'] as const;
/** In the words of the indexes. */
const IS_UNUSUAL = `r.status in (${UNUSUAL.map((status) => `'${status}'`).join(', ')})`;
const OF_ONE = 'r.account_id = $1';
const OF_EACH = '$1::uuid is null';
const TOOK = 'r.finished_at - r.created_at as took';

/** Each part by an index that holds no other rows. */
function list(name: string, parts: readonly string[]) {
  const selects = parts.map(
    (part) => `(select ${COLUMNS} from ocr_request r ${WITH_LIFE} where ${part} and ${WANTED} ${NEWEST})`,
  );
  return { name, text: `select * from (${selects.join(' union all ')}) mine order by id desc limit $10` };
}

/**
 * The newest $22 requests of the parts, each with its place, and `found`: whether it meets the filter and has the text $21. No
 * index has texts, so $22 bounds how many rows are read, however few are found.
 */
function looked(parts: readonly string[]): string {
  const selects = parts.map(
    (part) => `(select r.id, ${TOOK}, (${MEETS} and ${hasText('r', '$21')}) is true as found
      from ocr_request r where ${part} and ${WITHIN} order by r.id desc limit $22)`,
  );
  return `(select id, took, found, row_number() over (order by id desc) as place
    from (${selects.join(' union all ')}) mine order by id desc limit $22) looked`;
}

/** The newest requests with the text, and the last one that was looked at where older ones may follow (`isLast`). */
function search(name: string, parts: readonly string[]) {
  return {
    name,
    text: `
    with hits as (
      select id, found, place from ${looked(parts)} where found or place = $22 order by id desc limit $10
    )
    select ${COLUMNS}, hits.found, hits.place = $22 as "isLast" from hits join ocr_request r using (id) ${WITH_LIFE} order by r.id desc`,
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
    text: longest(`select r.id, ${TOOK} from ocr_request r where ${part} and ${WANTED} ${NEWEST}`, '$21'),
  };
}

function slowestWithText(name: string, part: string) {
  return { name, text: longest(`select id, took from ${looked([part])} where found limit $10`, '$23') };
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

/** Those with a text, newest first. */
export const WITH_TEXT = {
  account: ofKinds(search, 'search', 'account'),
  all: ofKinds(search, 'search', 'all'),
};

/** Requests that have ended, the slowest first. */
export const SLOWEST = {
  account: slowest('slowest-of-account', endedOnes),
  all: slowest('slowest-of-all', OF_EACH),
};

export const SLOWEST_WITH_TEXT = {
  account: slowestWithText('slowest-search-of-account', endedOnes),
  all: slowestWithText('slowest-search-of-all', OF_EACH),
};
