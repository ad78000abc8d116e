import pg from 'pg';

/** Runs `work` on a connection of its own, and closes that; a transaction that is still open is rolled back. */
export async function onOwnClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  client.on('error', () => undefined); // the statement that was under way reports it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined); // what it had to tell was told
  }
}
