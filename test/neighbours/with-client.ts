import { Client } from 'pg';

/** A connection to the database itself, for what an operator or a fault does. */
export async function withClient(databaseUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // the statement that is under way rejects
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
