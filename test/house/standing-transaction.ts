import { Client } from 'pg';

/** A transaction that stands open with what it has locked, as a laptop that falls asleep leaves it; disposing ends it. */
export async function standingTransaction(databaseUrl: string, lock: string): Promise<AsyncDisposable> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(lock);
  return {
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      await client.end();
    },
  };
}
