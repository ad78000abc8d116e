import type { Caller } from '../../accounts/callers/caller.ts';
import { within } from '../../platform/require-range.ts';
import { includedParts, pageParts } from '../model/include.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { JobPages } from '../store/large-request-pages.ts';
import { shownPage } from '../store/shown-page.ts';
import type { PageSlice, StoredPages } from '../store/stored-pages.ts';
import { OcrPageList } from './page-list.type.ts';
import type { Results } from './results.ts';

const MOST_PER_PAGE = 100;
const LAST_PAGE = 1_000_000;

export interface PagesWanted {
  readonly include: readonly string[];
  /** Which part of the pages, from 1. */
  readonly page: number;
  readonly perPage: number;
}

/** The pages of requests, as their owners see them; of a large job that runs, those that are finished. */
export class PageLists {
  readonly #results: Results;
  readonly #stored: StoredPages;
  readonly #jobPages: JobPages;

  constructor(results: Results, stored: StoredPages, jobPages: JobPages) {
    this.#results = results;
    this.#stored = stored;
    this.#jobPages = jobPages;
  }

  /** Throws 404 and 410 as reading the request does. */
  async list(caller: Caller, requestId: string, wanted: PagesWanted): Promise<OcrPageList> {
    const page = within('page', wanted.page, LAST_PAGE);
    const perPage = within('per_page', wanted.perPage, MOST_PER_PAGE);
    const parts = pageParts(includedParts(wanted.include));
    const request = await this.#results.read(caller, requestId);
    const { pages, total } = await this.#slice(caller, request, { size: perPage, skipped: (page - 1) * perPage });
    const data = pages.map((one) => shownPage(one, { parts, isOwn: true }));
    return Object.assign(new OcrPageList(), { requestId, status: request.status, data, page, perPage, total });
  }

  async #slice(caller: Caller, request: OcrRequest, part: { size: number; skipped: number }): Promise<PageSlice> {
    if (request.isFinished) return this.#stored.slice(request.id, part);
    // What a job has read is text that may not be kept once history is off.
    if (request.jobId === null || !caller.history || request.discard) return { pages: [], total: 0 };
    return this.#jobPages.finishedPages(request, part);
  }
}
