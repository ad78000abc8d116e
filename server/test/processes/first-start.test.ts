import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Caller } from '../../../test/house/caller.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { emptyDatabase } from '../../../test/house/empty-database.ts';
import { freePorts } from '../../../test/house/free-ports.ts';
import { listen } from '../../../test/house/listen.ts';
import { type Product, startProduct } from '../../../test/house/product.ts';
import { readSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { makeFirstAccount } from '../../src/admin/first-account.ts';
import { MIGRATIONS } from '../../src/database/migrations/index.ts';
import { readConfig } from '../../src/platform/config.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const KEY = /sk-ocr-\w{38}/g;
/** For two starts at once, which make the schema. */
const STARTS_MS = 180_000;
const env = { DEMO_ACCOUNT: 'true', LOG_LEVEL: 'info' };
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
if (!hasIpv6) console.log('skipped: the machine has no ::1');

it('makes one demo account, however many processes start at once on an empty database', async () => {
  const databaseUrl = await createDatabase();
  const config = readConfig({ DEMO_ACCOUNT: 'true' });
  const shows = await Promise.all(
    Array.from({ length: 6 }, () => makeFirstAccount(config, databaseUrl, makeLog('silent'))),
  );
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  for (const show of shows) show();
  const shown = written.mock.calls.flatMap(([text]) => String(text).match(KEY) ?? []);
  written.mockRestore();
  expect(new Set(shown).size).toBe(1);
  expect(
    await readSql(databaseUrl, 'select a.email, k.label from account a join api_key k on k.account_id = a.id'),
  ).toEqual([{ email: 'demo@localhost', label: 'demo' }]);
});

it('shows a command for a file that the base64 of any system takes', async () => {
  const show = await makeFirstAccount(readConfig({ DEMO_ACCOUNT: 'true' }), await createDatabase(), makeLog('silent'));
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  show?.();
  const shown = written.mock.calls.map(([text]) => String(text)).join('');
  written.mockRestore();
  const command = /^ {2}printf.*?-d @-$/ms.exec(shown)?.[0].replace('FILE', fileURLToPath(import.meta.url));
  // In the place of curl: something that gives what it is given. The base64 of macOS has no `-w`; this one breaks each line.
  const programs = 'curl() { cat; }\nbase64() { [ $# = 0 ] && command base64 -w 1; }';
  const { stdout } = spawnSync('bash', ['-c', `${programs}\n${command}`], { encoding: 'utf8' });
  const { input } = JSON.parse(stdout) as { input: { data_base64: string } };
  expect(Buffer.from(input.data_base64, 'base64')).toEqual(await readFile(fileURLToPath(import.meta.url)));
});

describe('two processes that start at once on a database without a schema', () => {
  const products: Product[] = [];
  let databaseUrl = '';

  beforeAll(async () => {
    ({ url: databaseUrl } = await emptyDatabase(await createDatabase()));
    const options = { databaseUrl, env: { ...env, HOST: hasIpv6 ? '::1' : '127.0.0.1' } };
    const started = await Promise.allSettled([startProduct(options), startProduct(options)]);
    products.push(...started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : [])));
    expect(started.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []))).toEqual([]);
    await until('both say that they are ready', () => products.every((product) => product.logs().includes('is ready')));
  }, STARTS_MS);
  afterAll(async () => {
    for (const product of products) await product[Symbol.asyncDispose]();
  });

  it('come up, with one account', async () => {
    const shown = products.map((product) => [...new Set(product.logs().match(KEY))]);
    const [key = 'none'] = shown.flat();
    expect(new Set(shown.flat()).size).toBe(1);
    expect(await readSql(databaseUrl, 'select email from account')).toEqual([{ email: 'demo@localhost' }]);
    const names = await readSql<{ name: string }>(databaseUrl, 'select name from mikro_orm_migrations order by id');
    expect(names.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    const statuses = products.map(async ({ url }) => (await new Caller(url, key).get('/v1/usage')).status);
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  });

  it('say that they are ready when the key of the demo account is there to be read', () => {
    const showing = products.map((product) => product.logs()).filter((log) => log.includes('sk-ocr-'));
    expect(showing).not.toEqual([]);
    for (const log of showing) expect(log.indexOf('sk-ocr-')).toBeLessThan(log.indexOf('is ready'));
  });

  it.skipIf(!hasIpv6)('print addresses that work where HOST is an IPv6 address', async () => {
    const log = products.map((product) => product.logs()).find((log) => log.includes('curl -s ')) ?? '';
    const address = /curl -s (http:\S+)\/v1\/ocr/.exec(log)?.[1] ?? '';
    expect(address).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${address}/livez`)).status).toBe(200);
    expect(log).toContain(`"url":"${address}"`);
  });
});

it('shows the key also where it cannot listen, because it is shown once', async () => {
  const [dashboard = 0] = await freePorts(1);
  await using taken = await listen((_req, res) => res.writeHead(503).end());
  const failure = await startProduct({ env, ports: { api: taken.port, dashboard } }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failure.match(KEY)).not.toBeNull();
});

/** A start whose output a journal keeps, until it is ready or has ended. */
async function startUnderJournal(settings: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-first-'));
  await using journal = await open(join(folder, 'journal'), 'w');
  const { dev, ino } = await journal.stat();
  const [api = 0, dashboard = 0] = await freePorts(2);
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../dist/main.js', import.meta.url))], {
    cwd: folder,
    stdio: ['ignore', journal.fd, journal.fd],
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(folder, 'data'),
      PORT: String(api),
      DASHBOARD_PORT: String(dashboard),
      JOURNAL_STREAM: `${dev}:${ino}`,
      ...settings,
    },
  });
  const ended = once(child, 'exit');
  const written = () => readFile(join(folder, 'journal'), 'utf8');
  await Promise.race([ended, until('it says that it is ready', async () => (await written()).includes('is ready'))]);
  child.kill('SIGTERM');
  await ended;
  const dispose = () => rm(folder, { recursive: true });
  return { folder, log: await written(), exitCode: child.exitCode, [Symbol.asyncDispose]: dispose };
}

describe.skipIf(process.platform !== 'linux')('where a journal keeps the output', () => {
  it('key and password go to a file of the operator’s alone', async () => {
    await using start = await startUnderJournal({ DATABASE_URL: await createDatabase() });
    const path = join(start.folder, 'data', 'first-start.txt');
    const text = await readFile(path, 'utf8');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const [key = 'none'] = text.match(KEY) ?? [];
    const password = /demo@localhost\n\s+(\S+)/.exec(text)?.[1] ?? 'none';
    expect(key).toMatch(/^sk-ocr-/);
    expect(start.log).not.toContain(key);
    expect(start.log).not.toContain(password);
    expect(start.log).toContain(path);
  });

  it('no account is made where that file cannot be: its key would be shown to nobody', async () => {
    const databaseUrl = await createDatabase();
    await using start = await startUnderJournal({ DATABASE_URL: databaseUrl, DATA_DIR: '/dev/null/data' });
    expect(start.exitCode).toBe(1);
    const event = start.log.trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(event)).toEqual({
      time: expect.any(Number),
      level: 60,
      msg: expect.stringMatching(/^DATA_DIR: first-start\.txt.* cannot be written: ENOTDIR: .*DEMO_ACCOUNT=false/),
    });
    expect(await readSql(databaseUrl, 'select email from account')).toEqual([]);
  });
});
