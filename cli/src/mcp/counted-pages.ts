import { type Estimate, OcrError, type OcrRouter, type ReadOptions, type Source } from '@ocr-router/client';

export interface Wish {
  readonly engine?: string | undefined;
  readonly pages?: number | undefined;
}

/**
 * The estimate for a document. Its page count is at most what the document has, because every page that a request asks for is
 * billed.
 */
export async function estimateOf(
  client: OcrRouter,
  source: Source,
  { pages }: Wish,
  options: ReadOptions,
): Promise<Estimate> {
  const first = await client.estimate(source, options);
  const page_count = atMost(pages, first);
  return page_count === first.billed_pages ? first : client.estimate(source, { ...options, page_count });
}

/** The number of pages to read. Where the key may not ask for an estimate, it is the number that was asked for. */
export async function countedPages(
  client: OcrRouter,
  source: Source,
  { pages }: Wish,
  options: ReadOptions,
): Promise<number> {
  try {
    return atMost(pages, await client.estimate(source, options));
  } catch (error) {
    if (pages && error instanceof OcrError && error.code === 'insufficient_scope') return pages;
    throw error;
  }
}

function atMost(pages: number | undefined, { pages_total }: Estimate): number {
  return Math.min(pages ?? pages_total, pages_total);
}
