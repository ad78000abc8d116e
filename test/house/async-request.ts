import type { HouseAccount } from './house.ts';
import { newId } from './ids.ts';
import type { Product } from './product.ts';
import { runSql } from './sql.ts';

/** A request in the queue, and nothing else of it. */
export async function queueRow(databaseUrl: string, accountId: string): Promise<string> {
  const id = newId('ocr_');
  await runSql(databaseUrl, QUEUED, [id, accountId, 'reader', '{}', Buffer.from('none')]);
  return id;
}

/** As acceptance writes it. */
const QUEUED = `
  with request as (
    insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold)
    values ($1, $2, $3, $3, 'async', $4, 'queued', 'processing', 0)
  ), queued as (
    insert into queued_request (request_id, engine, account_id, level, seq)
    values ($1, $3, $2, 1, (extract(epoch from now()) * 1e6)::bigint)
  ), counted as (update wallet set requests = requests + 1 where account_id = $2)
  insert into stored_document (request_id, bytes) values ($1, $5)`;

export interface AsyncWish {
  readonly engine?: string;
  readonly webhookUrl: string | null;
  readonly document: Buffer;
  readonly fallback?: 'off' | 'similar';
  readonly pageCount?: number;
}

/** An accepted asynchronous request that waits for a worker, with its document, as the database holds it. */
export async function queueAsync(product: Product, account: HouseAccount, wish: AsyncWish): Promise<string> {
  const id = newId('ocr_');
  const engine = wish.engine ?? 'reader';
  const effective = {
    engine,
    inputType: 'base64',
    url: null,
    mimeType: null,
    language: null,
    languageHints: null,
    dpi: 72,
    detectTables: false,
    pageRange: null,
    pageCount: wish.pageCount ?? null,
    native: {},
    fallbackEngine: null,
    scannedHandling: 'skip',
    scannedHandlingGiven: false,
    fallback: wish.fallback ?? 'off',
    mode: 'async',
    webhookUrl: wish.webhookUrl,
    outputFormat: 'json',
  };
  const values = [id, account.accountId, engine, JSON.stringify(effective), wish.document];
  await runSql(product.databaseUrl, QUEUED, values);
  return id;
}
