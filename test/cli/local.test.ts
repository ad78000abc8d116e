import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listen } from '../house/listen.ts';
import { until } from '../house/until.ts';

const COMMAND = resolve(import.meta.dirname, '../../cli/dist/main.js');
const PICTURE = resolve(import.meta.dirname, '../fixtures/quick-brown-fox.png');

const folder = await mkdtemp(join(tmpdir(), 'ocr-local-'));
const started = new Set<number>();
afterAll(async () => {
  for (const pid of started) if (lives(pid)) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** The command with a gateway of its own, whose folder is below `temporary`. */
async function startLocal(settings: NodeJS.ProcessEnv = {}) {
  const scans = await mkdtemp(join(folder, 'scans-'));
  const temporary = await mkdtemp(join(folder, 'tmp-'));
  await copyFile(PICTURE, join(scans, 'a.png'));
  const env = { ...process.env, ...settings, TMPDIR: temporary };
  const child = spawn(process.execPath, [COMMAND, 'read', scans, '--local'], { env, stdio: 'ignore' });
  return { child, temporary };
}

/** The gateway that has its folder there: its processes, which are itself and its PostgreSQL, and where that has the database. */
async function gatewayIn(temporary: string) {
  const data = join(temporary, (await readdir(temporary))[0] ?? '', 'data');
  const owner = parsed<{ pid: number }>(await content(join(data, 'postgres-owner.1.json')));
  const record = parsed<{ directory: string }>(await content(join(data, 'embedded-postgres.json')));
  const database = record && resolve(data, record.directory); // as root it may be elsewhere
  const postmaster = Number.parseInt(await content(join(database ?? data, 'postmaster.pid')), 10);
  if (!owner || !database || !postmaster) return null;
  const pids = [owner.pid, postmaster];
  for (const pid of pids) started.add(pid);
  return { pids, database };
}

function content(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function parsed<T>(text: string): T | null {
  return text === '' ? null : (JSON.parse(text) as T);
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)(
  'a gateway of --local ends when the command dies of %s, and leaves nothing',
  async (signal) => {
    const { child, temporary } = await startLocal();
    const ended = once(child, 'exit');
    const { pids, database } = await until('there is a gateway', () => gatewayIn(temporary));
    child.kill(signal);
    await ended;
    await until('its processes have ended', () => !pids.some(lives));
    await until('its folder is gone', async () => (await readdir(temporary)).length === 0);
    expect(existsSync(database), database).toBe(false);
  },
);

it('one that has done its work leaves nothing, and had nothing to do with a service whose settings are in the environment', async () => {
  const away = join(folder, 'database-url');
  await writeFile(away, 'postgres://127.0.0.1:1/away');
  const { child, temporary } = await startLocal({
    ...{ DATABASE_URL_FILE: away, REDIS_URL_FILE: away, REPORTS_DATABASE_URL: 'postgres://127.0.0.1:1/away' },
    ...{ SECRETS_KEY_FILE: join(folder, 'of-another-user'), METRICS_PORT: '1', IDP_ISSUER: 'https://127.0.0.1:1' },
  });
  const ended = once(child, 'exit');
  const { pids, database } = await until('there is a gateway', () => gatewayIn(temporary));
  expect(await ended).toEqual([0, null]);
  expect(pids.filter(lives)).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
  expect(existsSync(database), database).toBe(false);
});

it('a proxy of the environment is not asked for a gateway on this machine', async () => {
  const asked: (string | undefined)[] = [];
  await using proxy = await listen((request, response) => {
    asked.push(request.url);
    response.end('{}');
  });
  const { child } = await startLocal({ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, NO_PROXY: 'example.com' });
  const [code] = await once(child, 'exit');
  expect([code, asked]).toEqual([0, []]);
});
