import { type Pool, query } from '../database/pool.ts';

const LOAD = { name: 'document-load', text: 'select bytes from stored_document where request_id = $1' };

/**
 * Stores a document. The lock lets the end of the request, which empties the store, come before or after, but never at the same
 * time.
 */
const KEEP = {
  name: 'document-keep',
  text: `insert into stored_document (request_id, bytes)
         select id, $2::bytea from ocr_request where id = $1 and finished_at is null for share
         on conflict (request_id) do nothing`,
};

/**
 * The documents of requests that have not ended; the statement that ends a request deletes its document. The process that takes a
 * request finds its document here. It is written by the statement that accepts the request, or, where the accepting process reads
 * it at once for a caller who waits, when that takes longer than a moment.
 */
export class DocumentStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async load(requestId: string): Promise<Buffer | null> {
    const [row] = await query<{ bytes: Buffer }>(this.#pool, LOAD, [requestId]);
    return row?.bytes ?? null;
  }

  /** Stores the document of a request, unless the request has ended or the document is there already. */
  async keep(requestId: string, bytes: Buffer): Promise<void> {
    await query(this.#pool, KEEP, [requestId, bytes]);
  }
}
