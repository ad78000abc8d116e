import { OcrError, type OcrResult, type OcrRouter, type PageResult } from '@ocr-router/client';

/** The text that was read of a document. */
export interface Text {
  readonly text: string;
  /** The text without Markdown, where that is known; else as `text`. */
  readonly plain: string;
  /** What is missing, as a sentence, of a document that was read in part; null where nothing is. */
  readonly gap: string | null;
  /** The pages that were not read, or not to their end; empty where pages are not kept. */
  readonly failed: readonly PageResult[];
}

/** Stands between pages, as the gateway joins them. */
const PAGE_BREAK = '\n\n---\n\n';
const MOST_NAMED = 10;
const NOT_RETAINED = 'result_not_retained';
/** Codes of answers without pages: they are not kept, or the key may not ask for them. */
const UNSHOWN = new Set([NOT_RETAINED, 'insufficient_scope']);

/**
 * The text of a result; null where there is none. A partial result has its text page by page; where its pages cannot be had, the
 * preview.
 */
export async function textOf(
  client: Pick<OcrRouter, 'pages'>,
  result: OcrResult,
  signal: AbortSignal,
): Promise<Text | null> {
  const { status, extracted_text, extracted_text_plain, extracted_text_preview, warning } = result;
  if (status === 'succeeded' && typeof extracted_text === 'string') {
    return { text: extracted_text, plain: extracted_text_plain ?? extracted_text, gap: null, failed: [] };
  }
  if (status !== 'partial') return null;
  const pages = result.page_results ?? (await keptPages(client, result.request_id, signal));
  const text = pages.flatMap((page) => page.text || []).join(PAGE_BREAK);
  const failed = pages.filter(({ state }) => state === 'failed');
  if (text !== '') return { text, plain: text, gap: gapOf(failed, pages.length), failed };
  const preview = extracted_text_preview ?? '';
  return preview === ''
    ? null
    : { text: preview, plain: preview, gap: warning ?? 'Only its beginning is there.', failed };
}

/** Whether the pages that were read are kept nowhere. Those that the key may not ask for may be kept. */
export async function isNotRetained(client: Pick<OcrRouter, 'pages'>, requestId: string, signal: AbortSignal) {
  try {
    await client.pages(requestId, { signal }).next();
    return false;
  } catch (error) {
    if (error instanceof OcrError && UNSHOWN.has(error.code)) return error.code === NOT_RETAINED;
    throw error;
  }
}

async function keptPages(client: Pick<OcrRouter, 'pages'>, requestId: string, signal: AbortSignal) {
  try {
    const pages: PageResult[] = [];
    for await (const page of client.pages(requestId, { signal })) pages.push(page);
    return pages;
  } catch (error) {
    if (error instanceof OcrError && UNSHOWN.has(error.code)) return [];
    throw error;
  }
}

function gapOf(failed: readonly PageResult[], pages: number): string {
  const missing = failed.map(({ page }) => page);
  const named = missing.slice(0, MOST_NAMED).join(', ');
  const more = missing.length > MOST_NAMED ? ' and more' : '';
  return `${missing.length} of its ${pages} pages not read, or not to their end: ${named}${more}.`;
}
