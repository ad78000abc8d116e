import { Client } from 'pg';

/** A connection to the database itself, for what an operator or a fault does. */
export async function withClient<Answer>(
  databaseUrl: string,
  work: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // the statement that is under way rejects
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
