import type { Caller } from '../../accounts/callers/caller.ts';
import { AppError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RequestLookup } from '../store/find.ts';
import type { LargeRequestPages } from '../store/large-request-pages.ts';
import { OcrJob, PageFailure } from './job.type.ts';

const POLL_AFTER_MS = 2000;

/** Large PDF jobs, as their owners see them. */
export class Jobs {
  readonly #lookup: RequestLookup;
  readonly #pages: LargeRequestPages;

  constructor(lookup: RequestLookup, pages: LargeRequestPages) {
    this.#lookup = lookup;
    this.#pages = pages;
  }

  /** The request that became the job: 404 for any other account. */
  async request(caller: Caller, id: string): Promise<OcrRequest> {
    const request = isId('job_', id) ? await this.#lookup.byJob(id) : null;
    if (request && request.accountId === caller.accountId) return request;
    throw new AppError('not_found', `There is no job "${id.slice(0, 100)}" in your account.`);
  }

  /** The pages that could not be read; null when there are none. */
  async failures(request: OcrRequest): Promise<PageFailure[] | null> {
    const { pagesFailed } = await this.progress(request);
    return pagesFailed.length > 0 ? pagesFailed : null;
  }

  async progress(request: OcrRequest): Promise<OcrJob> {
    const { done, failed } = await this.#pages.progress(request.id);
    return Object.assign(new OcrJob(), {
      id: request.jobId,
      requestId: request.id,
      status: request.status,
      pagesTotal: request.pagesTotal ?? 0,
      pagesDone: done,
      pagesFailed: failed.map(({ number: page, code, message }) =>
        Object.assign(new PageFailure(), { page, code, message }),
      ),
      cost: request.cost,
      pollAfterMs: request.isFinished ? null : POLL_AFTER_MS,
      cancelRequestedAt: request.cancelRequestedAt,
      cancelledAt: request.cancelledAt,
    });
  }
}
