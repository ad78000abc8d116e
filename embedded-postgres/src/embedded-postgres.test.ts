import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { connectOrStartPostgres, type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts';
import { readRecord } from './folder/cluster-record.ts';
import { sessions } from './server/stale-cluster.ts';
import { exists } from './system/running-process.ts';
import { NAMES, OPTIONS } from './testing/options.ts';

const opened: EmbeddedPostgres[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) {
    const directory = readRecord(folder)?.directory;
    if (directory) rmSync(resolve(folder, directory), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the first start', () => {
  it('makes the database ocr_router in UTF-8, open only to its password, on the loopback address, in closed files', async () => {
    const folder = dataFolder();
    const server = await start(folder);
    expect(server.startedHere).toBe(true);
    const [row] = await query(
      server.url,
      `select current_database() as name, getdatabaseencoding() as encoding, upper('éß') as upper,
         inet_server_addr()::text as address, current_setting('listen_addresses') as addresses`,
    );
    expect(row).toEqual({
      name: 'ocr_router',
      encoding: 'UTF8',
      upper: 'Éß',
      address: '127.0.0.1/32',
      addresses: '127.0.0.1',
    });
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    for (const host of otherAddresses()) {
      const outside = new URL(server.url);
      outside.hostname = host;
      await expect(query(outside.href, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
    }
    expect(statSync(join(folder, 'embedded-postgres.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
  });

  it('is durable unless told otherwise', async () => {
    const server = await startPostgres({ ...OPTIONS, dataDir: dataFolder() });
    opened.push(server);
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'];
    const rows = await query(server.url, `select name, setting from pg_settings where name = any($1)`, [names]);
    expect(rows).toHaveLength(4);
    for (const { setting } of rows) expect(setting).toBe('on');
  });
});

describe('a later start', () => {
  it('finds data and address again', async () => {
    const folder = dataFolder();
    const first = await start(folder);
    await query(first.url, 'create table kept as select 42 as number');
    await first.stop();
    const second = await start(folder);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select number from kept')).toEqual([{ number: 42 }]);
  });

  it('takes another port when the former one is taken', async () => {
    const folder = dataFolder();
    const first = await start(folder);
    await first.stop();
    const port = Number(new URL(first.url).port);
    const other = createServer();
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
    try {
      const second = await start(folder);
      expect(new URL(second.url).port).not.toBe(String(port));
      expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      other.close();
    }
  });

  it('refuses to begin anew when the database, its password or its version of PostgreSQL is gone', async () => {
    const folder = dataFolder();
    await (await start(folder)).stop();
    const [database, record] = [join(folder, 'postgres'), join(folder, 'embedded-postgres.json')];
    renameSync(record, `${record}.away`);
    await expect(start(folder)).rejects.toThrow(/with its password is missing/);
    renameSync(`${record}.away`, record);
    writeFileSync(join(database, 'PG_VERSION'), '12\n');
    await expect(start(folder)).rejects.toThrow(/was made by PostgreSQL 12, and this is PostgreSQL \d+/);
    renameSync(database, `${database}.away`);
    await expect(start(folder)).rejects.toThrow(/is gone\. Restore it, or remove .*embedded-postgres\.json/);
    expect(existsSync(database)).toBe(false);
  });
});

describe('the role of the service', () => {
  const forbidden = [
    'alter table journal disable trigger all',
    'delete from journal',
    'update journal set amount = 0',
    'truncate journal',
    'drop table journal',
    'create table mine (id int)',
    `copy journal to program 'cat'`,
    'set session_replication_role = replica',
    `alter role ocr_router password 'mine'`,
  ];

  it('reads and writes rows, and can neither change tables nor the past of those that only grow', async () => {
    const server = await start(dataFolder());
    await query(server.url, 'create table journal (id int, amount int)');
    await query(server.url, 'create table plain (id bigint generated always as identity, word text)');
    await (await connectOrStartPostgres({ ...OPTIONS, dataDir: folders.at(-1) ?? '' })).stop();
    expect(await query(server.serviceUrl, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
    await query(server.serviceUrl, `insert into plain (word) values ('one')`);
    await query(server.serviceUrl, `update plain set word = 'two'`);
    expect(await query(server.serviceUrl, 'delete from plain returning word')).toEqual([{ word: 'two' }]);
    await server.stop();
    const again = await start(folders.at(-1) ?? '');
    await query(again.serviceUrl, 'insert into journal values (1, 1)');
    for (const statement of forbidden) {
      await expect(query(again.serviceUrl, statement), statement).rejects.toThrow(/permission denied|must be owner/);
    }
  });

  it('has the name that the program gives it, as has the database', async () => {
    const names = { ...NAMES, database: 'other-one', service: 'other-service' };
    const server = await startPostgres({ ...OPTIONS, names, dataDir: dataFolder(), durable: false });
    opened.push(server);
    const who = 'select current_database() as database, current_user as role';
    expect(await query(server.url, who)).toEqual([{ database: 'other-one', role: 'other-one' }]);
    expect(await query(server.serviceUrl, who)).toEqual([{ database: 'other-one', role: 'other-service' }]);
  });

  it('is made in a data folder of an older version', async () => {
    const folder = dataFolder();
    const before = await start(folder);
    await query(before.url, 'create table kept as select 42 as number');
    await query(before.url, 'drop owned by ocr_router_service');
    await query(before.url, 'drop role ocr_router_service');
    await before.stop();
    const path = join(folder, 'embedded-postgres.json');
    const { servicePassword: _none, ...record } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify(record));
    const after = await start(folder);
    expect(await query(after.serviceUrl, 'select number from kept')).toEqual([{ number: 42 }]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('a clean stop', () => {
  it('leaves no process and an orderly database', async () => {
    const folder = dataFolder();
    const server = await start(folder);
    const { pid } = server;
    const client = await connect(server.url);
    await server.stop();
    expect(exists(pid)).toBe(false);
    expect(sessions(join(folder, 'postgres'))).toEqual([]);
    expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).toContain('database system is shut down');
    await client.end().catch(() => {});
  });

  it('ends with the scope that holds it, and only once', async () => {
    const folder = dataFolder();
    let pid = 0;
    {
      await using server = await startPostgres({ ...OPTIONS, dataDir: folder, durable: false });
      ({ pid } = server);
      await server.stop();
    }
    expect(exists(pid)).toBe(false);
    await expect(start(folder)).resolves.toMatchObject({ startedHere: true });
  });
});

describe('a command', () => {
  it('uses the running database and leaves it running', async () => {
    const folder = dataFolder();
    const server = await start(folder);
    const command = await connectOrStartPostgres({ ...OPTIONS, dataDir: folder });
    expect(command).toMatchObject({ startedHere: false, url: server.url, pid: server.pid });
    await command.stop();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts the database where none runs, and ends it', async () => {
    const folder = dataFolder();
    const command = await connectOrStartPostgres({ ...OPTIONS, dataDir: folder, durable: false });
    expect(command.startedHere).toBe(true);
    await command.stop();
    expect(exists(command.pid)).toBe(false);
  });
});

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ ...OPTIONS, dataDir, durable: false });
  opened.push(server);
  return server;
}

/** Open to PostgreSQL's user, which is another one where the tests run as root. */
function dataFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ocr-router-test-')));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = await connect(url);
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

function otherAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
