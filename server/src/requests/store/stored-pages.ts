import { type Pool, query } from '../../database/pool.ts';
import { rangeOfIds } from '../../platform/ids.ts';
import type { OcrPage } from '../model/ocr-page.ts';
import { type PassedPage, passedPages } from './passing-pages.ts';
import { SHOWN_OF } from './texts/left-sql.ts';
import { type Asker, PAGE_COLUMNS, PageTexts } from './texts/page-texts.ts';
import type { LargeTexts } from './texts/text-turns.ts';

/** One row where the part has no page: `total` alone. */
const OF_REQUEST = {
  name: 'pages-of-request',
  repeatable: true,
  text: `select counted.total, page.*
         from (
           select count(*)::int as total from ocr_page where request_id = any($1::text[]) and request_id between $4 and $5
         ) counted
         left join (
           select ${PAGE_COLUMNS}
           from ${SHOWN_OF} r
           cross join lateral (select * from ocr_page where request_id = r.id and request_id between $4 and $5 order by number limit $2 offset $3) p
         ) page on true
         order by page.number`,
};

const PASSED = {
  name: 'pages-that-pass',
  text: 'select pages from passing_text where request_id = $1',
  repeatable: true,
};

/** A part of the pages of a request, and how many there are. */
export interface PageSlice {
  readonly pages: readonly OcrPage[];
  readonly total: number;
}

/** The pages of requests that have ended. */
export class StoredPages {
  readonly #pool: Pool;
  readonly #texts: PageTexts;

  constructor(pool: Pool, texts: LargeTexts) {
    this.#pool = pool;
    this.#texts = new PageTexts(texts);
  }

  async slice(
    requestId: string,
    { size, skipped, ...asker }: { size: number; skipped: number } & Asker,
  ): Promise<PageSlice> {
    const values = [[requestId], size, skipped, ...rangeOfIds([requestId])];
    const rows = await query<{ total: number; number: number | null }>(this.#pool, OF_REQUEST, values);
    const ofPages = rows.flatMap(({ total: _, ...page }) => (page.number === null ? [] : [page]));
    return { pages: await this.#texts.pagesOf(asker, ofPages), total: rows[0]?.total ?? 0 };
  }

  /** The pages of a result that is not retained, as another process has passed them on; null where there are none. */
  async passed(requestId: string): Promise<OcrPage[] | null> {
    const [row] = await query<{ pages: PassedPage[] | null }>(this.#pool, PASSED, [requestId]);
    return row?.pages ? passedPages(row.pages) : null;
  }
}
