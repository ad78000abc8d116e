import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import { lowestId } from '../../platform/ids.ts';
import { ArchiveStream } from './archive-stream.ts';
import { takeExportLease } from './export-lease.ts';
import { ACCOUNT, BEHIND_ALL, type ExportedTable, PAGES, REQUESTS, SMALL_TABLES, TRANSFERS } from './export-sql.ts';

/** Rows of one statement. */
const BATCH = 100;
/** Text of pages that is in memory at a time; a request whose pages have more comes alone. */
const PAGES_BYTES = 512 * 1024;

/** An account's export while it is made. */
export interface AccountExport {
  readonly stream: Readable;
  readonly fileName: string;
  /** Resolves when everything was handed to the stream, with the number of lines of each file; rejects when it broke off. */
  readonly written: Promise<Readonly<Record<string, number>>>;
}

interface Row {
  readonly key: string;
  readonly line: string;
}

/**
 * Everything that an account has, as a tar.gz of NDJSON files. It is read by short statements from key to key, and not in one
 * transaction: who reads slowly would hold a snapshot for hours. What begins after the export did is not in it; nor
 * are requests that have not ended.
 */
export class AccountExports {
  readonly #reports: Pool;
  readonly #leases: Pool;

  /** `leases` is written to, `reports` only read. */
  constructor(pools: { readonly reports: Pool; readonly leases: Pool }) {
    this.#reports = pools.reports;
    this.#leases = pools.leases;
  }

  /** Begins one; 400 while another one of the account is under way. Destroying the stream ends it. */
  async open(accountId: string): Promise<AccountExport> {
    const lease = await takeExportLease(this.#leases, accountId, randomUUID());
    const archive = new ArchiveStream();
    const written = this.#write(accountId, archive)
      .then((counts) => {
        archive.end();
        return counts;
      })
      .catch((error: Error) => {
        archive.fail(error);
        throw error;
      })
      .finally(() => lease[Symbol.asyncDispose]());
    written.catch(() => undefined); // the stream tells
    const day = new Date().toISOString().slice(0, 10);
    return { stream: archive.readable, fileName: `ocr-router-${accountId}-${day}.tar.gz`, written };
  }

  async #write(accountId: string, archive: ArchiveStream): Promise<Record<string, number>> {
    const lastRequest = lowestId('ocr_', new Date());
    const [account] = await query<{ line: string; lastTransfer: string }>(this.#reports, ACCOUNT, [accountId]);
    if (!account) throw new AppError('not_found', 'There is no such account.');
    await archive.add('account.json', Buffer.from(`${account.line}\n`));
    const counts: Record<string, number> = {};
    for (const table of SMALL_TABLES) {
      counts[table.file] = await archive.addLines(table.file, this.#linesOf(accountId, table, BEHIND_ALL));
    }
    counts['ledger'] = await archive.addLines('ledger', this.#linesOf(accountId, TRANSFERS, account.lastTransfer));
    counts['requests'] = await archive.addLines('requests', this.#requests(accountId, lastRequest));
    // Whoever has this file has all of the others.
    await archive.add('manifest.json', Buffer.from(`${JSON.stringify({ lines: counts })}\n`));
    return counts;
  }

  async *#linesOf(accountId: string, { statement, first }: ExportedTable, last: string): AsyncGenerator<string> {
    for (let after: string | undefined = first; after !== undefined; ) {
      const rows: Row[] = await query<Row & Record<string, unknown>>(this.#reports, statement, [
        accountId,
        after,
        BATCH,
        last,
      ]);
      for (const { line } of rows) yield line;
      after = rows.length === BATCH ? rows.at(-1)?.key : undefined;
    }
  }

  async *#requests(accountId: string, last: string): AsyncGenerator<string> {
    type RequestRow = Row & { size: number };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const values = [accountId, after, BATCH, last];
      const rows: RequestRow[] = await query<RequestRow & Record<string, unknown>>(this.#reports, REQUESTS, values);
      for (const some of inPortions(rows)) yield* this.#withPages(some);
      after = rows.length === BATCH ? rows.at(-1)?.key : undefined;
    }
  }

  async *#withPages(requests: readonly Row[]): AsyncGenerator<string> {
    const ids = requests.map(({ key }) => key);
    const rows = await query<{ id: string; pages: string }>(this.#reports, PAGES, [ids]);
    const pages = new Map(rows.map((row) => [row.id, row.pages]));
    for (const { key, line } of requests) {
      // The line is an object of JSON that has properties: one more goes before its end.
      yield `${line.slice(0, -1)}, "page_results" : ${pages.get(key) ?? '[]'}}`;
    }
  }
}

/** Neighbours whose pages' texts are in memory together. */
function* inPortions<T extends { readonly size: number }>(rows: readonly T[]): Generator<T[]> {
  let portion: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (portion.length > 0 && bytes + row.size > PAGES_BYTES) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(row);
    bytes += row.size;
  }
  if (portion.length > 0) yield portion;
}
