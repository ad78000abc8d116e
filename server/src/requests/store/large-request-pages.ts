import { type Pool, query, queryOne } from '../../database/pool.ts';
import { storableJson } from '../../database/storable.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import { LeaseLostError } from '../../engines/model/stop-reasons.ts';
import { faultPoint } from '../../platform/fault.ts';
import { judge, pageRow } from '../judge/conclude.ts';
import { failureCode } from '../judge/judge-page.ts';
import { type JsonLayout, layoutOfJson } from '../layout/stored-layout.ts';
import { atAcceptedPrices } from '../model/accepted-prices.ts';
import { OcrPage, type PageFailureCode } from '../model/ocr-page.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { IS_OPEN } from '../model/states.ts';
import type { PageJournal, PageResult } from '../read/page-result.ts';
import type { Phases } from '../times/phases.ts';
import type { TimesSoFar } from '../times/times-so-far.ts';
import type { PageSlice } from './stored-pages.ts';
import { showsMessages } from './texts/left-sql.ts';

const LOAD = { name: 'job-pages-load', text: 'select result from job_page where request_id = $1 order by number' };

/** Writes a page only under the lease. The lock makes a settlement come before or after it, never at the same time. */
const RECORD = {
  name: 'job-pages-record',
  text: `with held as (
           select id from ocr_request where id = $1 and fence = $2 and ${IS_OPEN} for share
         ), written as (
           insert into job_page (request_id, number, result, code, message, times)
           select id, $3, $4::jsonb, $5, $6, $7::jsonb from held on conflict (request_id, number) do nothing
         )
         select id from held`,
};

const NAME = {
  name: 'job-pages-name',
  text: `update ocr_request set job_id = $3, pages_total = $4, document_hash = $5
         where id = $1 and fence = $2 and ${IS_OPEN} and job_id is null`,
};

/** Stands for the message of a failed page once the request's texts are deleted; its code stays. */
const DELETED = 'The message was deleted with the result.';

const PROGRESS = {
  name: 'job-pages-progress',
  text: `select number, code, message from job_page where request_id = $1 and code is not null
         union all
         select number, code, coalesce(case when ${showsMessages('$1')} then message end, '${DELETED}')
         from ocr_page where request_id = $1 and code is not null
         order by number`,
};

const DONE = {
  name: 'job-pages-done',
  text: `select (select count(*) from job_page where request_id = $1 and code is null)::int
              + (select count(*) from ocr_page where request_id = $1 and code is null)::int as done`,
};

/**
 * One row without a page where the part has none; none at all once the request has ended. One statement, because pages are
 * finished, and moved at the end, meanwhile.
 */
const FINISHED = {
  name: 'job-pages-finished',
  text: `select counted.total, page.result
         from (select count(*)::int as total from job_page where request_id = $1) counted
         left join (select number, result from job_page where request_id = $1 order by number limit $2 offset $3) page on true
         where exists (select from ocr_request where id = $1 and ${IS_OPEN})
         order by page.number`,
};

/** A page that could not be read. */
export interface FailedPage {
  readonly number: number;
  readonly code: PageFailureCode;
  readonly message: string;
}

/** The pages of large requests (the contract's jobs), stored one by one as they are read. */
export class LargeRequestPages {
  readonly #pool: Pool;
  readonly #catalogue: Catalogue;

  constructor(pool: Pool, catalogue: Catalogue) {
    this.#pool = pool;
    this.#catalogue = catalogue;
  }

  /**
   * The pages that are finished, and `record` for those to come, which also stores the times in `phases`. Pages of an engine
   * that is no longer configured are left out, and so read again.
   */
  async open(request: OcrRequest, phases: Phases | null = null): Promise<PageJournal> {
    const rows = await query<{ result: StoredResult }>(this.#pool, LOAD, [request.id]);
    const finished = new Map(this.#known(request, rows).map((result) => [result.number, result]));
    return { finished, record: (result) => this.#record(request, result, phases) };
  }

  /** A part of the finished pages of a request that is at work; null where it has ended. */
  async finishedPages(
    request: OcrRequest,
    { size, skipped }: { size: number; skipped: number },
  ): Promise<PageSlice | null> {
    const values = [request.id, size, skipped];
    const rows = await query<{ total: number; result: StoredResult | null }>(this.#pool, FINISHED, values);
    const [first] = rows;
    if (!first) return null;
    const results = rows.flatMap(({ result }) => (result === null ? [] : [{ result }]));
    const of = { requestId: request.id, layout: null };
    const pages = judge(this.#known(request, results)).map((page) => Object.assign(new OcrPage(), of, pageRow(page)));
    return { pages, total: first.total };
  }

  /** The stored results whose engines are still configured. */
  #known(request: OcrRequest, rows: readonly { readonly result: StoredResult }[]): PageResult[] {
    const priced = atAcceptedPrices(request.prices);
    return rows.flatMap(({ result: { layout, ...result } }) => {
      const engine = this.#catalogue.find(result.engine);
      return engine ? [{ ...result, engine: priced(engine), ...(layout && { layout: layoutOfJson(layout) }) }] : [];
    });
  }

  /** Turns a request into a large one, once the document at its URL is fetched. */
  async name(
    { id, fence }: OcrRequest,
    { jobId, pagesTotal, documentHash }: { jobId: string; pagesTotal: number; documentHash: string },
  ): Promise<void> {
    await query(this.#pool, NAME, [id, fence, jobId, pagesTotal, documentHash]);
  }

  async progress(requestId: string): Promise<{ done: number; failed: FailedPage[] }> {
    const failed = await query<FailedPage>(this.#pool, PROGRESS, [requestId]);
    const { done } = await queryOne<{ done: number }>(this.#pool, DONE, [requestId]);
    return { done, failed };
  }

  async #record({ id, fence }: OcrRequest, result: PageResult, phases: Phases | null): Promise<void> {
    const verdict = judge([result])[0]?.verdict;
    const code = verdict ? failureCode(verdict) : null;
    const message = verdict && 'message' in verdict ? verdict.message : null;
    const stored = { ...result, engine: result.engine.id };
    const times: TimesSoFar | null = phases && { fence, documentMs: phases.documentMs, ...phases.clock.times };
    const held = await query(this.#pool, RECORD, [id, fence, result.number, asJson(stored), code, message, times]);
    if (held.length === 0) throw new LeaseLostError('the lease has gone to another process');
    faultPoint('page-recorded');
  }
}

/** A count that is no number would become null, which means "not reported": it is stored as -1, which is as incredible. */
function asJson(stored: object): string {
  return storableJson(JSON.stringify(stored, (_, value) => (Number.isNaN(value) ? -1 : value)));
}

/** A page's result as it is stored: the engine by its id. */
type StoredResult = Omit<PageResult, 'engine' | 'layout'> & { readonly engine: string; readonly layout?: JsonLayout };
