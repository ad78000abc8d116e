import { pageRanges } from '../../engines/model/page-ranges.ts';
import { AppError } from '../../platform/errors.ts';
import { counted } from '../../platform/numbers/counted.ts';
import type { Effective } from '../model/effective.ts';
import { askedPages } from '../model/page-range.ts';

export interface PagePlan {
  /** Pages that exist and will be read, in the order of the document. */
  readonly run: readonly number[];
  /** Pages that the request is billed for, whatever the document's length. */
  readonly billed: number;
  readonly warnings: readonly string[];
}

/**
 * Which pages of a document a request reads. The charge follows the request, the truth about the document a warning. Throws
 * `unprocessable_entity` where the document has none of the pages.
 */
export function planPages(effective: Effective, maxPages: number, total: number): PagePlan {
  const asked = askedPages(effective, maxPages);
  const run = asked.filter((page) => page <= total);
  if (run.length === 0) {
    throw new AppError('unprocessable_entity', `settings.page_range: the document has only ${total} page(s).`);
  }
  const warnings: string[] = [];
  const outside = asked.length - run.length;
  if (outside > 0 && effective.pageRange !== null) {
    const missing = pageRanges(asked.filter((page) => page > total));
    warnings.push(`Pages outside the document were skipped: ${missing}. The document has ${counted(total, 'page')}.`);
  } else if (outside > 0) {
    warnings.push(
      `The document has ${counted(total, 'page')}; ${counted(asked.length, 'page')} were asked for and are billed.`,
    );
  }
  if (run.length < total && outside === 0) {
    warnings.push(
      `The document has ${counted(total, 'page')}; only ${counted(run.length, 'page')} ${run.length === 1 ? 'was' : 'were'} processed. ` +
        'Set page_count to process more.',
    );
  }
  return { run, billed: asked.length, warnings };
}
