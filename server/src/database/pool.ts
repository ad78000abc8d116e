import pg from 'pg';
import type { Log } from '../log.ts';

export type Pool = pg.Pool;

/** BIGINT arrives as bigint (money), never as a rounded number. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return (text: string) => BigInt(text);
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};

/**
 * How the planner treats statements that find rows by their keys. Their plans are made once a connection, often while a
 * table is still empty or its statistics are old, and a plan that reads the whole table then would stay as it grows.
 */
const BY_KEY =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c random_page_cost=1.1 -c jit=off';

/**
 * Connections for the statements that are written by hand. A connection that breaks while it is checked out must not
 * end the process (node-postgres emits an unhandled `error` then), so each one gets a listener.
 */
export function openPool(url: string, options: { max: number; log: Log; plans?: 'by key' | 'free' }): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    options: options.plans === 'free' ? '-c jit=off' : BY_KEY,
    types,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  const report = (error: Error) => options.log.warn({ err: error.message }, 'database connection lost');
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

/** A prepared statement: parsed and planned once a connection. */
export async function query<Row extends pg.QueryResultRow>(
  pool: Pool | pg.PoolClient,
  statement: { readonly name: string; readonly text: string },
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name: statement.name, text: statement.text, values: [...values] });
  return rows;
}

/** Runs `work` in one transaction on one connection; rolls back when it throws. */
export async function transaction<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
