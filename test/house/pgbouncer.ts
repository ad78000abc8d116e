import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePorts } from './free-ports.ts';
import { until } from './until.ts';

/** Why there is no PgBouncer to test with; null when there is one. */
export function missingPgbouncer(): string | null {
  return spawnSync('pgbouncer', ['--version']).status === 0 ? null : 'pgbouncer is not installed';
}

/** A PgBouncer of a test's own before one database. */
export class Pgbouncer implements AsyncDisposable {
  /** The database behind it, by way of it. */
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(parts: { url: string; child: ChildProcess; folder: string }) {
    this.url = parts.url;
    this.#child = parts.child;
    this.#folder = parts.folder;
  }

  static async start(databaseUrl: string, settings: Readonly<Record<string, string>>): Promise<Pgbouncer> {
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
    await until('PgBouncer answers', async () => {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
      return answers(url);
    });
    return new Pgbouncer({ url, child, folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // the query rejects
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
