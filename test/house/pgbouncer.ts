import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseProgram } from './database-program.ts';
import { freePorts } from './free-ports.ts';

/** Why there is no PgBouncer to test with; null when there is one. */
export function missingPgbouncer(): string | null {
  return spawnSync('pgbouncer', ['--version']).status === 0 ? null : 'pgbouncer is not installed';
}

/** A PgBouncer of a test's own before one database; its `url` is that database by way of it. */
export async function startPgbouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<DatabaseProgram> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const [ownPort = 0] = await freePorts(1);
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-pgbouncer-'));
  await chmod(folder, 0o755); // as root it runs as another user, who must be able to enter
  const file = join(folder, 'pgbouncer.ini');
  const behind = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
  const rules = {
    auth_type: 'any',
    listen_addr: '127.0.0.1',
    listen_port: ownPort,
    unix_socket_dir: '',
    ...settings,
  };
  const lines = Object.entries(rules).map(([name, value]) => `${name} = ${value}`);
  await writeFile(file, `[databases]\nbehind = ${behind}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...user, file], { stdio: 'ignore' });
  const url = `postgres://${username}@127.0.0.1:${ownPort}/behind`;
  return DatabaseProgram.ready({ name: 'PgBouncer', url, child, folder, endBy: 'SIGKILL' });
}
