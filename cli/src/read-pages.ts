import { OcrError, type OcrResult, type OcrRouter, type ReadOptions, type Source } from '@ocr-router/client';

/** More pages are not waited for on one connection. */
export const MOST_SYNC_PAGES = 10;
/** Where no texts are kept nothing is read in the background, and what was sent while that was so keeps its key. */
const NOT_IN_BACKGROUND = new Set(['history_disabled', 'idempotency_key_reused']);

/** Reads so many pages of a document: long documents in the background, where that is possible. */
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
