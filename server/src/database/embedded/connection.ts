import pg from 'pg';
import type { Cluster } from './cluster.ts';
import { LOOPBACK } from './free-port.ts';
import { DATABASE } from './initialize.ts';
import { settingsOf } from './launch.ts';
import { ensureServiceRole, grantTables, SERVICE_ROLE } from './service-role.ts';

const SECOND = 1000;

/** The address that the owner connects to. */
export function urlOf(access: { password: string; port: number }, database = DATABASE): string {
  return `postgres://${DATABASE}:${access.password}@${LOOPBACK}:${access.port}/${database}`;
}

/** The address that the service connects to; the owner's where a running server of an older version has no other. */
export function serviceUrlOf(access: { password: string; servicePassword?: string | undefined; port: number }): string {
  if (access.servicePassword === undefined) return urlOf(access);
  return `postgres://${SERVICE_ROLE}:${access.servicePassword}@${LOOPBACK}:${access.port}/${DATABASE}`;
}

/** Makes the database `ocr_router` where it is not there yet, and the role that the service connects as. */
export async function ensureDatabase(access: {
  password: string;
  servicePassword: string;
  port: number;
}): Promise<void> {
  await withClient(urlOf(access, 'postgres'), async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
    await ensureServiceRole(client, access.servicePassword);
  });
  await withClient(urlOf(access), grantTables);
}

/** Whether the server that answers there serves this folder, with the version and settings that we would start it with. */
export async function isOurServer(cluster: Cluster, access: { password: string; port: number }): Promise<boolean> {
  try {
    return await withClient(urlOf(access, 'postgres'), async (client) => {
      const { rows } = await client.query(
        `select current_setting('cluster_name') as name, current_setting('data_directory') as directory`,
      );
      return rows[0]?.name === settingsOf(cluster).cluster_name && rows[0]?.directory === cluster.directory;
    });
  } catch (error) {
    cluster.log.warn({ err: error, port: access.port }, 'the running postgres does not answer');
    return false;
  }
}

/** Whether the database takes sessions. */
export async function isAnswering(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query('select 1'));
    return true;
  } catch {
    return false;
  }
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10 * SECOND,
    query_timeout: 30 * SECOND,
  });
  // A connection that breaks between two queries is told here only, and would end the process untold.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
