import type { Caller } from '../../accounts/callers/caller.ts';
import type { PageInfo } from '../../database/paging/page-info.type.ts';
import { pageSize } from '../../database/paging/page-size.ts';
import { AppError } from '../../platform/errors.ts';
import { within } from '../../platform/numbers/require-range.ts';
import { includedParts, pageParts } from '../model/include.ts';
import type { PageParts } from '../model/ocr-page.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { LargeRequestPages } from '../store/large-request-pages.ts';
import { shownPage } from '../store/shown-page.ts';
import type { PageSlice, StoredPages } from '../store/stored-pages.ts';
import { OcrPageList } from './page-list.type.ts';
import type { Results } from './results.ts';

const MOST_PER_PAGE = 100;
const LAST_PAGE = 1_000_000;

export interface PagesWanted {
  /** What of each page is shown; null: what is selected of it. */
  readonly include: readonly string[] | null;
  /** Which part of the pages, from 1. */
  readonly page: number;
  readonly perPage: number;
  /** Instead of `perPage` and `page`: how many, and behind which cursor of a list before. */
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

interface PagesAsker {
  readonly caller: Caller;
  readonly hangUp?: (() => AbortSignal) | undefined;
}

const EVERYTHING: PageParts = { lines: true, words: true, tables: true };

const NO_PAGES: PageSlice = { pages: [], total: 0 };

/** A cursor is how many pages there are up to it. */
const CURSOR = /^[1-9]\d{0,6}$/;

/** The pages of requests, as their owners see them; of a large job that runs, those that are finished. */
export class PageLists {
  readonly #results: Results;
  readonly #stored: StoredPages;
  readonly #largeRequestPages: LargeRequestPages;

  constructor(results: Results, stored: StoredPages, largeRequestPages: LargeRequestPages) {
    this.#results = results;
    this.#stored = stored;
    this.#largeRequestPages = largeRequestPages;
  }

  /** Throws 404 and 410 as reading the request does. */
  async list({ caller, hangUp }: PagesAsker, requestId: string, wanted: PagesWanted): Promise<OcrPageList> {
    const part = partOf(wanted);
    const parts = wanted.include === null ? EVERYTHING : pageParts(includedParts(wanted.include));
    const { request, pages, total } = await this.#read({ caller, hangUp }, requestId, part);
    const data = pages.map((one) => shownPage(one, { parts, isOwn: true }));
    const { size: perPage, skipped } = part;
    const page = Math.floor(skipped / perPage) + 1;
    const pageInfo = pageInfoOf({ skipped, count: data.length, total });
    const list = { requestId, status: request.status, data, nodes: data, pageInfo, page, perPage, total };
    return Object.assign(new OcrPageList(), list);
  }

  /** A request that ends while its finished pages are looked for is read again, as it has ended. */
  async #read(asker: PagesAsker, id: string, part: Part): Promise<PageSlice & { readonly request: OcrRequest }> {
    const read = () => this.#results.read(asker.caller, id, { text: 'none' });
    const request = await read();
    const slice = await this.#slice(asker, request, part);
    if (slice) return { request, ...slice };
    const ended = await read();
    return { request: ended, ...((await this.#slice(asker, ended, part)) ?? NO_PAGES) };
  }

  async #slice({ caller, hangUp }: PagesAsker, request: OcrRequest, part: Part): Promise<PageSlice | null> {
    if (request.isFinished) return this.#stored.slice(request.id, { ...part, party: caller.accountId, hangUp });
    // What a job has read is text that may not be kept once history is off.
    if (request.jobId === null || !caller.history || request.discard) return NO_PAGES;
    return this.#largeRequestPages.finishedPages(request, part);
  }
}

interface Part {
  readonly size: number;
  readonly skipped: number;
}

function partOf({ page, perPage, first, after }: PagesWanted): Part {
  const size = first == null ? within('per_page', perPage, MOST_PER_PAGE) : pageSize(first);
  if (after == null) return { size, skipped: (within('page', page, LAST_PAGE) - 1) * size };
  if (!CURSOR.test(after)) throw new AppError('invalid_request', 'after: is not a cursor.');
  return { size, skipped: Number(after) };
}

function pageInfoOf({ skipped, count, total }: { skipped: number; count: number; total: number }): PageInfo {
  return {
    hasNextPage: skipped + count < total,
    hasPreviousPage: skipped > 0,
    startCursor: count > 0 ? String(skipped + 1) : null,
    endCursor: count > 0 ? String(skipped + count) : null,
  };
}
