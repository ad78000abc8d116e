import { createHash } from 'node:crypto';
import type pg from 'pg';
import copy, { type CopyStreamQuery } from 'pg-copy-streams';
import { BackupError, type TableProof } from './format.ts';

/** Fills one table, within the transaction of its connection, and counts what it takes. */
export class TableLoader {
  readonly table: string;
  readonly #rows: CopyStreamQuery & { readonly rowCount: number };
  readonly #hash = createHash('sha256');
  #bytes = 0;
  /** The copying reports its errors by an event, and can take nothing afterwards: not even calls that end it. */
  #failure: Error | null = null;
  #reject: ((error: Error) => void) | null = null;

  constructor(client: pg.Client, table: string, columns: readonly string[]) {
    this.table = table;
    const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    this.#rows = client.query(copy.from(`copy ${client.escapeIdentifier(table)} (${list}) from stdin`));
    this.#rows.on('error', (error: Error) => {
      this.#failure ??= unloadable(table, error);
      this.#reject?.(this.#failure);
    });
  }

  async write(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    await this.#through((done) => void this.#rows.write(chunk, done));
  }

  /** Resolves when the rows are in the table. */
  async end(): Promise<TableProof> {
    await this.#through((done) => void this.#rows.end(done));
    return { name: this.table, rows: this.#rows.rowCount, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async #through(work: (done: (error?: Error | null) => void) => void): Promise<void> {
    if (this.#failure) throw this.#failure;
    await new Promise<void>((resolve, reject) => {
      this.#reject = reject;
      work((error) => (error ? reject(error) : resolve()));
    });
  }
}

/** Rows that PostgreSQL finds wrong (class 22: their form, 23: what they refer to) are not those that it wrote. */
function unloadable(table: string, error: Error): Error {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || !/^2[23]\w{3}$/.test(code)) return error;
  return new BackupError(`The backup is damaged: rows of ${table} cannot be loaded (${error.message}).`, {
    cause: error,
  });
}
