import { keepsText } from '../../../accounts/store/history-sql.ts';
import { selectionOf } from '../../../database/columns.ts';
import { query } from '../../../database/pool.ts';
import { rangeOfIds } from '../../../platform/ids.ts';
import { OcrPage } from '../../model/ocr-page.ts';
import { SHOWN_PAGE } from './left-sql.ts';
import { LARGE_TEXT_BYTES, type LargeTexts } from './text-turns.ts';

/**
 * The columns of pages `p` of requests `r` of `SHOWN_OF` for `pagesOf`: texts up to `LARGE_TEXT_BYTES` in all, and the length of
 * each.
 */
export const PAGE_COLUMNS = `${selectionOf(OcrPage, 'p', {
  columns: SHOWN_PAGE,
  as: {
    text: `case when r.keeps and sum(octet_length(p.text)) over (order by p.request_id, p.number) <= ${LARGE_TEXT_BYTES}
             then p.text end`,
  },
})}, case when r.keeps then octet_length(p.text) end as "textBytes"`;

const TEXTS = {
  name: 'long-texts-of-pages',
  repeatable: true,
  text: `select p.request_id as "requestId", p.number,
           case when ${keepsText('r.account_id', 'r.created_at', 'r.finished_at')} then p.text end as text
         from unnest($1::text[], $2::int[]) as wanted(id, number) join ocr_request r on r.id = wanted.id
         join ocr_page p on p.request_id = wanted.id and p.number = wanted.number
         where p.request_id between $3 and $4`,
};

/** Bytes of texts that one statement reads: more at once would block the event loop. */
const PART_BYTES = 2 * 1024 * 1024;

interface PageText {
  readonly requestId: string;
  readonly number: number;
  readonly text: string | null;
}

/** Who asks for texts. `party`: the account that takes its turn. `hangUp`: a signal that aborts when the caller leaves. */
export interface Asker {
  readonly party: string;
  readonly hangUp?: (() => AbortSignal) | undefined;
}

/** Reads the texts of pages that were too large to be read with their rows. */
export class PageTexts {
  readonly #large: LargeTexts;

  constructor(large: LargeTexts) {
    this.#large = large;
  }

  /** Pages of rows with `PAGE_COLUMNS`, with all their texts. Throws 429 where the account asks for too many at once. */
  async pagesOf({ party, hangUp }: Asker, rows: readonly Record<string, unknown>[]): Promise<OcrPage[]> {
    const bytesOf = new Map<OcrPage, number>();
    const pages = rows.map(({ textBytes, ...row }) => {
      const page = Object.assign(new OcrPage(), row);
      if (page.text === null && Number(textBytes) > 0) bytesOf.set(page, Number(textBytes));
      return page;
    });
    if (bytesOf.size === 0) return pages;
    using turn = await this.#large.turns.take(party, hangUp?.());
    for (const { part, bytes } of partsOf(bytesOf)) await turn.read(bytes, () => this.#fill(part));
    return pages;
  }

  async #fill(pages: readonly OcrPage[]): Promise<void> {
    const ids = pages.map(({ requestId }) => requestId);
    const values = [ids, pages.map(({ number }) => number), ...rangeOfIds(ids)];
    const rows = await query<PageText>(this.#large.pool, TEXTS, values);
    const texts = new Map(rows.map(({ requestId, number, text }) => [`${requestId} ${number}`, text]));
    for (const page of pages) page.text = texts.get(`${page.requestId} ${page.number}`) ?? null;
  }
}

function partsOf(bytesOf: ReadonlyMap<OcrPage, number>): { part: OcrPage[]; bytes: number }[] {
  const parts: { part: OcrPage[]; bytes: number }[] = [];
  for (const [page, bytes] of bytesOf) {
    const last = parts.at(-1);
    if (last && last.bytes + bytes <= PART_BYTES) {
      last.part.push(page);
      last.bytes += bytes;
    } else parts.push({ part: [page], bytes });
  }
  return parts;
}
