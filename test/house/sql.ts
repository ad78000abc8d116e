import { Client } from 'pg';

/** Changes what no caller and no operator can change, for example the age of a row; says how many rows it met. */
export async function runSql(databaseUrl: string, sql: string, values: readonly unknown[] = []): Promise<number> {
  return withClient(databaseUrl, async (client) => (await client.query(sql, [...values])).rowCount ?? 0);
}

/** Looks at what no caller and no operator is shown, for example when a worker took a request. */
export async function readSql<Row extends object>(databaseUrl: string, sql: string): Promise<Row[]> {
  return withClient(databaseUrl, async (client) => (await client.query<Row>(sql)).rows);
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
