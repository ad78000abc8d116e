import pg from 'pg';
import type { Cluster } from '../folder/cluster.ts';
import type { Names } from '../names.ts';
import { codeOf } from '../system/error-code.ts';
import { LOOPBACK } from '../system/free-port.ts';
import { settingsOf } from './launch.ts';
import { ensureServiceRole, grantTables } from './service-role.ts';

const SECOND = 1000;
/** SQLSTATE `invalid_catalog_name`. */
const NO_SUCH_DATABASE = '3D000';

/** What it takes to reach a server. */
export interface Access {
  readonly names: Names;
  readonly password: string;
  /** Missing where a running server of an older version has no role for the service. */
  readonly servicePassword?: string | undefined;
  readonly port: number;
}

/** The address that the owner connects to. */
export function urlOf({ names, password, port }: Access, database = names.database): string {
  return `postgres://${names.database}:${password}@${LOOPBACK}:${port}/${database}`;
}

/** The address that the service connects to; the owner's where there is no other. */
export function serviceUrlOf(access: Access): string {
  const { names, servicePassword, port } = access;
  if (servicePassword === undefined) return urlOf(access);
  return `postgres://${names.service}:${servicePassword}@${LOOPBACK}:${port}/${names.database}`;
}

/** Makes the database where it is not there yet, and the role that the service connects as. */
export async function ensureDatabase({ names, appendOnly, record }: Cluster, port: number): Promise<void> {
  const access = { ...record, names, port };
  const prepare = async (client: pg.Client) => {
    await ensureServiceRole(client, names, record.servicePassword);
    await grantTables(client, names, appendOnly);
  };
  try {
    await withClient(urlOf(access), prepare);
  } catch (error) {
    if (codeOf(error) !== NO_SUCH_DATABASE) throw error;
    await withClient(urlOf(access, 'postgres'), (client) =>
      client.query(`create database ${client.escapeIdentifier(names.database)}`),
    );
    await withClient(urlOf(access), prepare);
  }
}

/** Whether the server that answers there serves this folder, with the version and settings that we would start it with. */
export async function isOurServer(cluster: Cluster, port: number): Promise<boolean> {
  const { names, record } = cluster;
  try {
    return await withClient(urlOf({ ...record, names, port }, 'postgres'), async (client) => {
      const { rows } = await client.query(
        `select current_setting('cluster_name') as name, current_setting('data_directory') as directory`,
      );
      return rows[0]?.name === settingsOf(cluster).cluster_name && rows[0]?.directory === cluster.directory;
    });
  } catch (error) {
    cluster.log.warn({ err: error, port }, 'the running postgres does not answer');
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
  // A connection that breaks between two queries reports it here only, and without a listener that would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
