import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** A prepared statement: parsed and planned once a connection. */
export async function query<Row extends QueryResultRow>(
  client: PoolClient,
  { name, text }: { readonly name: string; readonly text: string },
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await client.query<Row>({ name, text, values: [...values] });
  return rows;
}

/** Runs `work` in one transaction on one connection, which is not used again when that fails. */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
