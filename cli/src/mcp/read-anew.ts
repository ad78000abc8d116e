import type { OcrResult, OcrRouter, ReadOptions, Source } from '@ocr-router/client';
import { MOST_SYNC_PAGES, readPages } from '../read-pages.ts';

type Wish = ReadOptions & { readonly page_count: number };

/** Most replays that are followed by another request: each sends the document once more. */
const MOST_REPLAYS = 10;

/**
 * Reads pages of a document. Where the idempotency key replays a request that has timed out, or that failed in the background at
 * no cost, the document is sent as a new request, under a key made of the earlier one's id: the first key would replay that end
 * for ever.
 */
export async function readAnew(client: OcrRouter, source: Source, wish: Wish): Promise<OcrResult> {
  let key: Pick<ReadOptions, 'idempotencyKey'> = {};
  for (let replays = 0; ; replays++) {
    let isReplay = false;
    const onReplay = () => {
      isReplay = true;
    };
    const result = await readPages(client, source, { ...wish, ...key, onReplay });
    if (!isReplay || replays === MOST_REPLAYS || !isWorthAnother(result, wish)) {
      if (isReplay) wish.onReplay?.();
      return result;
    }
    key = { idempotencyKey: `after-${result.request_id}` };
  }
}

/**
 * Whether a replayed end calls for another request. A failed synchronous request leaves its key free; one in the background binds
 * it, whatever its end.
 */
function isWorthAnother({ status, cost_debited }: OcrResult, { page_count }: Wish): boolean {
  if (status === 'timeout') return true;
  const hasFailed = ['failed', 'rejected', 'refunded'].includes(status);
  return page_count > MOST_SYNC_PAGES && hasFailed && cost_debited === 0;
}
