import { OcrError, type OcrResult, type OcrRouter, type ReadOptions, type Source } from '@ocr-router/client';

/** Most pages that are waited for on one connection. */
export const MOST_SYNC_PAGES = 10;
/**
 * Codes that refuse reading in the background: where no texts are kept it is not possible, and what was sent while that was so
 * keeps its key.
 */
const NOT_IN_BACKGROUND = new Set(['history_disabled', 'idempotency_key_reused']);

/** Reads `page_count` pages of a document; long documents in the background, where that is possible. */
export async function readPages(
  client: OcrRouter,
  source: Source,
  wish: ReadOptions & { readonly page_count: number },
): Promise<OcrResult> {
  if (wish.page_count <= MOST_SYNC_PAGES) return client.read(source, wish);
  try {
    return await client.read(source, { ...wish, mode: 'async' });
  } catch (error) {
    if (error instanceof OcrError && NOT_IN_BACKGROUND.has(error.code)) return client.read(source, wish);
    throw error;
  }
}
