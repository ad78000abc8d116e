import { Client, Pool } from 'pg';

/** Longer than the pauses between two looks of `until`. */
const KEPT_MS = 1000;
/** What PostgreSQL says, and what `pg` says, of a connection that has ended. */
const ENDED = /^57P0|^ECONNRESET$|^EPIPE$/;

const pools = new Map<string, Pool>();

/** Changes what no caller and no operator can change, for example the age of a row; says how many rows it met. */
export async function runSql(databaseUrl: string, sql: string, values: readonly unknown[] = []): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/**
 * Looks at what no caller and no operator is shown, for example when a worker took a request. Who looks again soon does so
 * by the same connection: a new one costs PostgreSQL a hundred times what it is asked.
 */
export async function readSql<Row extends object>(
  databaseUrl: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const pool = pools.get(databaseUrl) ?? openPool(databaseUrl);
  const look = async () => (await pool.query<Row>(sql, [...values])).rows;
  return look().catch((error: Error & { code?: string }) => {
    // It had ended while nobody looked.
    if (ENDED.test(error.code ?? '') || /^Connection terminated/.test(error.message)) return look();
    throw error;
  });
}

function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 4, idleTimeoutMillis: KEPT_MS, allowExitOnIdle: true });
  pool.on('error', () => undefined); // one that nobody uses: the next look opens another
  pools.set(connectionString, pool);
  return pool;
}
