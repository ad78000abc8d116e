import { OcrError, type OcrResult, type OcrRouter, type ReadOptions, type Source } from '@ocr-router/client';

/** More pages are not waited for on one connection. */
const MOST_SYNC_PAGES = 10;

type Wish = ReadOptions & { readonly page_count: number };

/**
 * Reads so many pages of a document. A request that ran out of time in an earlier call, or failed and cost nothing, is made anew,
 * under a key that its id makes: its own key repeats that end for ever.
 */
export async function readPages(client: OcrRouter, source: Source, wish: Wish): Promise<OcrResult> {
  let key: Pick<ReadOptions, 'idempotencyKey'> = {};
  for (;;) {
    let isReplay = false;
    const onReplay = () => {
      isReplay = true;
    };
    const result = await send(client, source, { ...wish, ...key, onReplay });
    if (isReplay && isWorthAnother(result)) {
      key = { idempotencyKey: `after-${result.request_id}` };
      continue;
    }
    if (isReplay) wish.onReplay?.();
    return result;
  }
}

function isWorthAnother({ status, cost_debited }: OcrResult): boolean {
  return status === 'timeout' || (['failed', 'rejected', 'refunded'].includes(status) && cost_debited === 0);
}

/** Long documents are read in the background; where no texts are kept, that is not possible. */
async function send(client: OcrRouter, source: Source, wish: Wish): Promise<OcrResult> {
  if (wish.page_count <= MOST_SYNC_PAGES) return client.read(source, wish);
  try {
    return await client.read(source, { ...wish, mode: 'async' });
  } catch (error) {
    if (error instanceof OcrError && error.code === 'history_disabled') return client.read(source, wish);
    throw error;
  }
}
