import { Batcher } from '../../database/batches/batcher.ts';
import { overtaking } from '../../database/batches/overtaking.ts';
import { selectionOf } from '../../database/columns.ts';
import { type Pool, query, type Statement } from '../../database/pool.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { rangeOfIds } from '../../platform/ids.ts';
import { PAGE_BREAK } from '../judge/conclude.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { PREVIEW_LENGTH } from '../model/preview.ts';
import { KEEPS_TEXT, SHOWN_REQUEST, WITH_LIFE } from './texts/left-sql.ts';
import { LARGE_TEXT_BYTES, type LargeTexts, TextTurns } from './texts/text-turns.ts';

/** Columns that may be large. */
const LARGE = ['effective', 'notes', 'metadata', 'appliedSettings', 'preview'] as const;

/** The columns of request `r` as they are shown, without those that may be large; they need `WITH_LIFE`. */
export const PLAIN_COLUMNS = selectionOf(OcrRequest, 'r', { without: LARGE, columns: SHOWN_REQUEST });

/** Whether the account keeps the text of `r`. Otherwise only the waiting caller gets it, by way of `passing_text`. */
const IS_KEPT = `r.status = 'succeeded' and r.text_retained and ${KEEPS_TEXT}`;

/** The condition for the pages `p` that the text of `r` is joined from; $2 and $3: the range of the requests' ids. */
const ITS_PAGES = `p.request_id = r.id and p.request_id between $2 and $3 and p.state in ('read', 'blank')`;

const TEXT = `
  case when ${IS_KEPT} then coalesce((
    select string_agg(p.text, '${PAGE_BREAK}' order by p.number) from ocr_page p where ${ITS_PAGES}), '')
  when r.status = 'succeeded' then (select t.text from passing_text t where t.request_id = r.id) end as text`;

const ofPassing = (column: string, status = 'succeeded') =>
  `(select ${column} from passing_text t where t.request_id = r.id and r.status = '${status}')`;

/** Requests with their texts; where a text is longer than `LARGE_TEXT_BYTES`, with its length alone. */
const BY_ID = {
  name: 'requests-by-id',
  repeatable: true,
  text: `
  select ${selectionOf(OcrRequest, 'r', { columns: SHOWN_REQUEST })}, extract(epoch from now() - r.created_at)::float8 * 1000 as "ageMs",
    case when kept.bytes > ${LARGE_TEXT_BYTES} then null when kept.bytes is not null then kept.text
    else coalesce(${ofPassing(`case when octet_length(t.text) <= ${LARGE_TEXT_BYTES} then t.text end`)}, case when ${IS_KEPT} then '' end)
    end as text,
    nullif(greatest(coalesce(kept.bytes, ${ofPassing('octet_length(t.text)')}), ${LARGE_TEXT_BYTES}), ${LARGE_TEXT_BYTES})::float8 as "largeTextBytes",
    ${ofPassing("nullif(t.text, '')", 'partial')} as "passingPreview"
  from ocr_request r ${WITH_LIFE} cross join lateral (
    select sum(octet_length(p.text)) as bytes,
      string_agg(p.text, '${PAGE_BREAK}' order by p.number) filter (where octet_length(p.text) <= ${LARGE_TEXT_BYTES}) as text
    from ocr_page p where ${IS_KEPT} and ${ITS_PAGES}
  ) kept where r.id = any($1::text[])`,
};

const TEXT_BY_ID = {
  name: 'large-text-by-id',
  repeatable: true,
  text: `select ${TEXT} from ocr_request r ${WITH_LIFE} where r.id = $1`,
};

/** The most bytes of a character in UTF-8. */
const CHARACTER_BYTES = 4;

/** The first characters of a large text, as many as a preview shows: of its first pages only, and of each no more than that. */
const BEGINNING_BY_ID = {
  name: 'large-text-beginning-by-id',
  repeatable: true,
  text: `
  select case when ${IS_KEPT} then (
    select left(string_agg(left(p.text, ${PREVIEW_LENGTH}), '${PAGE_BREAK}' order by p.number), ${PREVIEW_LENGTH})
    from (
      select p.number, p.text, sum(octet_length(p.text)) over (order by p.number) - octet_length(p.text) as before,
        row_number() over (order by p.number) as nth
      from ocr_page p where ${ITS_PAGES}) p
    where p.before < ${CHARACTER_BYTES * PREVIEW_LENGTH} and p.nth <= ${PREVIEW_LENGTH})
  end as beginning
  from ocr_request r ${WITH_LIFE} where r.id = $1`,
};

/** Whether all keys from before `idempotency_key` existed are copied into it: then a key that is not there is free. */
export const KEYS_ARE_COPIED = '(select m.complete from idempotency_mark m)';

/**
 * The id of the request that a key of an account is bound to, as an SQL expression; null for a free key. Until the keys from
 * before `idempotency_key` existed are copied, `ocr_request` is searched as well.
 */
export function boundRequest(accountId: string, key: string): string {
  return `coalesce(
    (select k.request_id from idempotency_key k where k.account_id = ${accountId} and k.key = ${key}),
    (select o.id from ocr_request o
     where o.account_id = ${accountId} and o.idempotency_key = ${key} and not ${KEYS_ARE_COPIED}))`;
}

const ID_BY_KEY = { name: 'request-id-by-key', text: `select ${boundRequest('$1', '$2')} as id`, repeatable: true };

const ID_BY_JOB = { name: 'request-id-by-job', text: 'select id from ocr_request where job_id = $1', repeatable: true };

/** Finds requests. Look-ups by id that wait go out as one statement. */
export class RequestLookup {
  readonly #pool: Pool;
  readonly #byId: Batcher<string, OcrRequest | null>;
  readonly #texts: LargeTexts;

  constructor(pool: Pool, texts: LargeTexts = { pool, turns: new TextTurns() }) {
    this.#pool = pool;
    this.#texts = texts;
    this.#byId = new Batcher((ids) => this.#find(ids), {
      semaphore: new Semaphore(2, overtaking(1)),
      waits: pool.waits,
    });
  }

  /** The request with its text. Throws 429 where its account asks for too many large texts at once. */
  async byId(id: string): Promise<OcrRequest | null> {
    const request = await this.withoutLargeText(id);
    return request && this.withText(request);
  }

  /** The request with its text, unless that is large: for callers that need other fields. */
  withoutLargeText(id: string): Promise<OcrRequest | null> {
    return this.#byId.add(id);
  }

  /** The same request with its text, however large; null where the request is gone. Throws 429 as `byId` does. */
  async withText(request: OcrRequest): Promise<OcrRequest | null> {
    const { id, largeTextBytes: bytes } = request;
    if (bytes === null) return request;
    const text = await this.#largeText(request, bytes);
    if (text === null) return this.byId(id); // the text was deleted meanwhile
    return Object.assign(request, { text, largeTextBytes: null });
  }

  /**
   * The same request with as much of a large text as a preview shows, which is little enough to need no turn. Null where the
   * request is gone.
   */
  async withBeginning(request: OcrRequest): Promise<OcrRequest | null> {
    const { id, largeTextBytes } = request;
    if (largeTextBytes === null) return request;
    const values = [id, ...rangeOfIds([id])];
    const [row] = await query<{ beginning: string | null }>(this.#pool, BEGINNING_BY_ID, values);
    const beginning = row?.beginning ?? null;
    if (beginning !== null) return Object.assign(request, { largeTextBeginning: beginning });
    const again = await this.withoutLargeText(id); // the text was deleted meanwhile
    if (again?.textRetained) return this.withBeginning(again);
    return again && Object.assign(again, { text: null, largeTextBytes: null });
  }

  /** Null where the text was deleted meanwhile. */
  async #largeText({ id, accountId }: OcrRequest, bytes: number): Promise<string | null> {
    using turn = await this.#texts.turns.take(accountId);
    const values = [id, ...rangeOfIds([id])];
    const [row] = await turn.read(bytes, () => query<{ text: string | null }>(this.#texts.pool, TEXT_BY_ID, values));
    return row?.text ?? null;
  }

  async byKey(accountId: string, idempotencyKey: string): Promise<OcrRequest | null> {
    const request = await this.#byFound(ID_BY_KEY, [accountId, idempotencyKey]);
    return request && this.withText(request);
  }

  async isBound(accountId: string, idempotencyKey: string): Promise<boolean> {
    const [row] = await query<{ id: string | null }>(this.#pool, ID_BY_KEY, [accountId, idempotencyKey]);
    return (row?.id ?? null) !== null;
  }

  /** The request without a large text. */
  byJob(jobId: string): Promise<OcrRequest | null> {
    return this.#byFound(ID_BY_JOB, [jobId]);
  }

  /** Asks for the id first: a look-up by id reads only one month of the pages. */
  async #byFound(statement: Statement, values: readonly string[]): Promise<OcrRequest | null> {
    const [row] = await query<{ id: string | null }>(this.#pool, statement, values);
    return row?.id ? this.withoutLargeText(row.id) : null;
  }

  async #find(ids: string[]): Promise<(OcrRequest | null)[]> {
    type Row = Partial<OcrRequest> & { readonly passingPreview: string | null };
    const rows = await query<Row>(this.#pool, BY_ID, [ids, ...rangeOfIds(ids)]);
    const found = new Map(
      rows.map(({ passingPreview, ...row }) => [row.id, { ...row, preview: row.preview ?? passingPreview }]),
    );
    return ids.map((id) => {
      const row = found.get(id);
      return row ? toRequest(row) : null;
    });
  }
}

/** A request of a row whose columns have the names of the class. */
export function toRequest(row: Partial<OcrRequest>): OcrRequest {
  return Object.assign(new OcrRequest(), row);
}
