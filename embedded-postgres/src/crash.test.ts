import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts';
import { readRecord } from './folder/cluster-record.ts';
import { sessions } from './server/stale-cluster.ts';
import { canEnter, canUse } from './system/reachable.ts';
import { exists, runningProcess } from './system/running-process.ts';
import { findUser } from './system/system-user.ts';
import { OPTIONS } from './testing/options.ts';

const opened: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of opened.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) {
    if (existsSync(databaseOf(folder))) for (const pid of sessions(databaseOf(folder))) process.kill(pid, 'SIGKILL');
    rmSync(databaseOf(folder), { recursive: true, force: true, maxRetries: 5 });
    rmSync(dirname(folder), { recursive: true, force: true, maxRetries: 5 });
  }
});

let template = '';
let elsewhere = '';

beforeAll(async () => {
  template = emptyFolder();
  await (await startPostgres({ ...OPTIONS, dataDir: template, durable: false })).stop();
  folders.length = 0;
});

afterAll(() => {
  rmSync(dirname(template), { recursive: true, force: true });
  if (elsewhere && readdirSync(elsewhere).length === 0) rmdirSync(elsewhere);
});

describe('after kill -9 of the owner', () => {
  it('the next start adopts the running server, and restarts it as its own', async () => {
    const folder = dataFolder();
    const owner = await startOwner(folder);
    await kill(owner.child);
    const server = await start(folder);
    expect(server).toMatchObject({ startedHere: false, pid: owner.pid, url: owner.url });
    process.kill(owner.pid, 'SIGKILL');
    await until(async () => server.pid !== owner.pid);
    await answers(server.url);
    await server.stop();
    expect(sessions(databaseOf(folder))).toEqual([]);
  });

  it('a server with other settings is ended and started with ours', async () => {
    const folder = dataFolder();
    const owner = await startOwner(folder);
    await kill(owner.child);
    const server = await start(folder, { durable: true });
    expect(server.startedHere).toBe(true);
    expect(exists(owner.pid) && runningProcess(owner.pid)).toBeFalsy();
    expect(await ask(server.url, `select current_setting('fsync') as fsync`)).toEqual([{ fsync: 'on' }]);
  });

  it('the next start recovers what was committed when the server was killed too', async () => {
    const folder = dataFolder();
    const owner = await startOwner(folder, { durable: true });
    await ask(owner.url, 'create table kept as select 42 as number');
    await kill(owner.child);
    process.kill(owner.pid, 'SIGKILL');
    const server = await start(folder);
    expect(server.startedHere).toBe(true);
    expect(await ask(server.url, 'select number from kept')).toEqual([{ number: 42 }]);
  });
});

describe('a stale postmaster.pid', () => {
  it('does not keep the server from starting when its process is a zombie', async () => {
    const folder = await stoppedDatabase();
    const zombie = await makeZombie(folder);
    expect(exists(zombie)).toBe(true);
    leavePidFile(folder, zombie);
    await expect(start(folder)).resolves.toMatchObject({ startedHere: true });
  });

  it('does not keep the server from starting when its process is another program', async () => {
    const folder = await stoppedDatabase();
    const { pid } = spawnAsOwner(folder, 'exec sleep 60');
    leavePidFile(folder, pid ?? 0);
    await expect(start(folder)).resolves.toMatchObject({ startedHere: true });
    expect(runningProcess(pid ?? 0)).not.toBeNull();
  });
});

describe('while another process owns the database', () => {
  it('a second start is refused, and tells who has it', async () => {
    const folder = dataFolder();
    const owner = await startOwner(folder);
    await expect(start(folder)).rejects.toMatchObject({
      problem: 'in_use',
      message: expect.stringContaining(`${folder} is in use by process ${owner.child.pid}`),
    });
    expect(await ask(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('of several starts at the same moment one wins', async () => {
    const folder = emptyFolder();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => startOwner(folder)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('is in use by process');
  });

  it('a command that owns it is waited for', async () => {
    const folder = dataFolder();
    const command = await startOwner(folder, { call: 'connectOrStartPostgres' });
    const server = start(folder);
    command.child.stdin?.end('stop\n');
    await expect(server).resolves.toMatchObject({ startedHere: true });
  });
});

describe('the death of the server', () => {
  it('is followed by a restart at the same address', async () => {
    const folder = dataFolder();
    const server = await start(folder);
    const { url, pid } = server;
    process.kill(pid, 'SIGKILL');
    await until(async () => server.pid !== pid);
    await answers(url);
    expect(server.url).toBe(url);
  });

  it('is followed by a restart also while a session still computes', async () => {
    const folder = dataFolder();
    const server = await start(folder);
    const busy = ask(server.url, 'select count(*) from generate_series(1, 100000000000)').catch(() => {});
    await until(() =>
      ask(
        server.url,
        `select from pg_stat_activity where query like '%generate%' and state = 'active' and pid <> pg_backend_pid()`,
      ).then((rows) => rows.length > 0),
    );
    process.kill(server.pid, 'SIGKILL');
    await answers(server.url);
    await busy;
  });

  it('leaves nothing behind when the stop comes right after it', async () => {
    const folder = dataFolder();
    const server = await start(folder);
    const { pid } = server;
    process.kill(pid, 'SIGKILL');
    await until(async () => runningProcess(pid) === null);
    await server.stop();
    expect(sessions(databaseOf(folder))).toEqual([]);
    await expect(start(folder)).resolves.toMatchObject({ startedHere: true });
  });
});

it('an owner that ends by an uncaught error takes the server with it', async () => {
  const folder = dataFolder();
  const owner = await startOwner(folder);
  const exit = once(owner.child, 'exit');
  owner.child.stdin?.write('throw\n');
  expect(await exit).toEqual([1, null]);
  await until(async () => sessions(databaseOf(folder)).length === 0);
  expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).toContain('database system is shut down');
});

const nobody = findUser(existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '', ['nobody']);
const isRoot = process.getuid?.() === 0;
const self = fileURLToPath(import.meta.url);

describe.runIf(isRoot && nobody)('root', () => {
  it('keeps the database elsewhere when its user cannot enter the data folder, and finds it again', async () => {
    const folder = emptyFolder(0o700);
    const first = await start(folder);
    await ask(first.url, 'create table kept as select 42 as number');
    await first.stop();
    expect(dirname(databaseOf(folder))).not.toBe(folder);
    const second = await start(folder);
    expect(await ask(second.url, 'select number from kept')).toEqual([{ number: 42 }]);
    elsewhere = dirname(databaseOf(folder));
  });

  // Only where that user can run Node and read these files.
  it.runIf(nobody && canEnter(dirname(self), nobody) && canUse(process.execPath, nobody))(
    'is not needed: an ordinary user runs the database as himself, and root may go on with it',
    async () => {
      const folder = emptyFolder();
      chownSync(folder, nobody?.uid ?? 0, nobody?.gid ?? 0);
      const owner = await startOwner(folder, { user: nobody });
      expect(statSync(databaseOf(folder)).uid).toBe(nobody?.uid);
      await ask(owner.url, 'create table kept as select 42 as number');
      const exit = once(owner.child, 'exit');
      owner.child.stdin?.end('stop\n');
      expect(await exit).toEqual([0, null]);
      expect(sessions(databaseOf(folder))).toEqual([]);
      const server = await start(folder);
      expect(await ask(server.url, 'select number from kept')).toEqual([{ number: 42 }]);
    },
  );
});

interface Owner {
  readonly child: ChildProcess;
  readonly url: string;
  readonly pid: number;
}

interface OwnerOptions {
  readonly call?: 'startPostgres' | 'connectOrStartPostgres';
  readonly durable?: boolean;
  readonly user?: { uid: number; gid: number } | null;
}

/** Another Node process that starts the database; `stop` and `throw` on its standard input end it. */
async function startOwner(folder: string, options: OwnerOptions = {}): Promise<Owner> {
  const script = `
    import { ${options.call ?? 'startPostgres'} as start } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)};
    import { OPTIONS } from ${JSON.stringify(new URL('./testing/options.ts', import.meta.url).href)};
    const server = await start({ ...OPTIONS, dataDir: ${JSON.stringify(folder)}, durable: ${options.durable ?? false} });
    console.log(JSON.stringify({ url: server.url, pid: server.pid }));
    process.stdin.on('data', async (text) => {
      if (String(text).startsWith('throw')) throw new Error('uncaught, as the test wants it');
      await server.stop();
      process.exit();
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    ...options.user,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const said = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  if (!Buffer.isBuffer(said[0])) throw new Error(errors);
  return { child, ...JSON.parse(String(said[0])) };
}

async function start(dataDir: string, { durable = false } = {}): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ ...OPTIONS, dataDir, durable });
  opened.push(server);
  return server;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** A folder whose database was stopped, with its postmaster.pid of before kept aside. */
async function stoppedDatabase(): Promise<string> {
  const folder = dataFolder();
  const server = await start(folder);
  copyFileSync(join(databaseOf(folder), 'postmaster.pid'), join(folder, 'former.pid'));
  await server.stop();
  return folder;
}

function leavePidFile(folder: string, pid: number): void {
  const path = join(databaseOf(folder), 'postmaster.pid');
  writeFileSync(path, readFileSync(join(folder, 'former.pid'), 'utf8').replace(/^\d+/, String(pid)), { mode: 0o600 });
  const { uid, gid } = statSync(databaseOf(folder));
  chownSync(path, uid, gid);
}

/** A process of the user who owns the database: PostgreSQL takes only those for a server that still runs. */
function spawnAsOwner(folder: string, command: string): ChildProcess {
  const { uid, gid } = statSync(databaseOf(folder));
  const child = spawn('/bin/sh', ['-c', command], {
    ...(isRoot && { uid, gid }),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  return child;
}

async function makeZombie(folder: string): Promise<number> {
  for (;;) {
    const child = spawnAsOwner(folder, 'sleep 0 & echo $!; exec sleep 60');
    const [said] = child.stdout ? await once(child.stdout, 'data') : [];
    const pid = Number(String(said));
    await until(async () => runningProcess(pid) === null);
    if (exists(pid)) return pid;
    child.kill('SIGKILL'); // a shell that was still there has taken its child's end
  }
}

/** A data folder with a database that was stopped in order. */
function dataFolder(): string {
  const folder = emptyFolder();
  const copied = spawnSync('cp', ['-a', `${template}/.`, folder], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
  return folder;
}

function emptyFolder(mode = 0o755): string {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'ocr-router-test-')));
  chmodSync(parent, mode);
  folders.push(join(parent, 'data'));
  mkdirSync(join(parent, 'data'));
  return join(parent, 'data');
}

function databaseOf(folder: string): string {
  return resolve(folder, readRecord(folder)?.directory ?? 'postgres');
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function answers(url: string): Promise<void> {
  return until(async () => (await ask(url, 'select 1').catch(() => [])).length === 1);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}
