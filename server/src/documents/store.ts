import { type Pool, query } from '../database/pool.ts';

const LOAD = {
  name: 'document-load',
  text: `select bytes from stored_document where request_id = $1
         union all select bytes from passing_document where request_id = $1`,
};

/**
 * The documents of requests that have not ended. They are written by the statement that accepts a request and deleted
 * by the one that ends it; a worker that did not get the bytes handed over reads them here. Those of asynchronous
 * requests survive everything; those of synchronous ones everything but a crash of the database itself.
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
}
