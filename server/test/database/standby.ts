import { chmod, chown, cp, mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Client } from 'pg';
import { spawnProgram } from '../../../embedded-postgres/src/programs/run-program.ts';
import { freePort, LOOPBACK } from '../../../embedded-postgres/src/system/free-port.ts';
import { DatabaseProgram } from '../../../test/house/database-program.ts';

/** What a copy of a data folder must not have: the server's own record, and a log that comes by the stream. */
const LEFT_OUT = /^(postmaster\.(pid|opts)$|pg_wal\/.)/;
const SETTINGS = [`listen_addresses=${LOOPBACK}`, 'unix_socket_directories=', 'hot_standby=on', 'fsync=off'];

/**
 * A streaming replica of a PostgreSQL of this machine: made of its files, as `pg_basebackup` does it, and fed by its log.
 * `primaryUrl` is of a superuser; `settings` are the replica's own, as `name=value`.
 */
export async function startStandby(primaryUrl: string, settings: readonly string[] = []): Promise<DatabaseProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-standby-'));
  await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
  const directory = join(folder, 'data');
  const programs = await copyOut(primaryUrl, directory);
  const { uid, gid } = await stat(join(directory, 'PG_VERSION'));
  const port = await freePort();
  const given = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  const run = {
    native: { folder: dirname(programs), version: '' },
    user: process.getuid?.() === 0 ? { uid, gid } : null,
    name: 'postgres' as const,
    args: ['-D', directory, '-p', String(port), ...given],
  };
  const child = spawnProgram(run, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const url = new URL(primaryUrl);
  url.port = String(port);
  return DatabaseProgram.ready({ name: 'the replica', url: url.href, child, folder, endBy: 'SIGINT' }, () => said);
}

/** Copies the files of a running server, between the two calls that tell it so; answers where its programs are. */
async function copyOut(primaryUrl: string, directory: string): Promise<string> {
  const client = new Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ from: string; programs: string }>(
      `select current_setting('data_directory') as from, (select setting from pg_config where name = 'BINDIR') as programs`,
    );
    const [{ from, programs } = { from: '', programs: '' }] = rows;
    await client.query(`select pg_backup_start('standby', true)`);
    const filter = (path: string) => !LEFT_OUT.test(relative(from, path));
    await cp(from, directory, { recursive: true, filter });
    const { rows: labels } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const { hostname, port, username, password } = new URL(primaryUrl);
    const source = { host: hostname, port, user: decodeURIComponent(username), password: decodeURIComponent(password) };
    const conninfo = Object.entries(source).map(([name, value]) => `${name}=${value}`);
    await writeFile(join(directory, 'backup_label'), labels[0]?.labelfile ?? '');
    await writeFile(join(directory, 'standby.signal'), '');
    await writeFile(join(directory, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo.join(' ')}'\n`);
    await mkdir(join(directory, 'pg_wal'), { recursive: true });
    await chmod(directory, 0o700);
    if (process.getuid?.() === 0) await giveTo(await stat(from), directory);
    return programs;
  } finally {
    await client.end();
  }
}

async function giveTo({ uid, gid }: { uid: number; gid: number }, directory: string): Promise<void> {
  await chown(directory, uid, gid);
  for (const path of await readdir(directory, { recursive: true })) await chown(join(directory, path), uid, gid);
}
