import { Client } from 'pg';

/** Changes what no caller and no operator can change, for example the age of a row; says how many rows it met. */
export async function runSql(databaseUrl: string, sql: string, values: readonly unknown[]): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
