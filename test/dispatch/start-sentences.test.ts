import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../house/cluster.ts';
import { emptyDatabase } from '../house/empty-database.ts';
import { freePorts } from '../house/free-ports.ts';
import { listen } from '../house/listen.ts';
import { runSql } from '../house/sql.ts';

const MAIN = resolve(import.meta.dirname, '../../server/dist/main.js');
const folder = await mkdtemp(join(tmpdir(), 'ocr-router-sentences-'));
const broken = join(folder, 'broken.json');
const odd = join(folder, 'odd.json');
await writeFile(broken, '{');
await writeFile(odd, '{"engines":[{"id":"new"}]}');
const databaseUrl = await createDatabase();
const taken = await listen((_req, res) => res.end());
const [free = 0, other = 0] = await freePorts(2);
const noDatabase = { DATABASE_URL: `postgres://x@127.0.0.1:${free}/x` };
const noDatabaseByName = { DATABASE_URL: `postgres://x@localhost:${free}/x` };
const withoutTls = { DATABASE_URL: `${databaseUrl}?sslmode=verify-full` };
const { url: readOnly } = await emptyDatabase(databaseUrl, { ordinaryRole: true });
await runSql(
  databaseUrl,
  `alter database ${new URL(readOnly).pathname.slice(1)} set default_transaction_read_only = on`,
);
const withoutRights = Object.assign(new URL(readOnly), { pathname: new URL(databaseUrl).pathname }).href;
afterAll(async () => {
  await taken[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** What is wrong, with the settings, and how the sentence begins. */
type Refused = [string, Readonly<Record<string, string>>, RegExp];

/** Linux refuses folders in /proc as if /proc itself were missing. */
const inRefusing = existsSync('/proc/self') ? ['/proc/x', '/proc/x/data'] : [];

function start(env: Readonly<Record<string, string>>, command = [process.execPath, MAIN]) {
  const [program = '', ...args] = command;
  const settings = {
    PORT: String(free),
    DASHBOARD_PORT: String(other),
    DATABASE_URL: databaseUrl,
    DEMO_ACCOUNT: 'false',
    LOG_LEVEL: 'error', // what a start warns of is another test's
  };
  return spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), ...settings, ...env },
  });
}

describe.each<Refused>([
  ['settings that are none', { PORT: 'many', LOG_LEVEL: 'loud' }, /not usable:\n {2}PORT: .+\n {2}LOG_LEVEL: /],
  ['a missing ENGINES_FILE', { ENGINES_FILE: 'nowhere.json' }, /^ENGINES_FILE .*nowhere\.json cannot be read/],
  ['an ENGINES_FILE that is no JSON', { ENGINES_FILE: broken }, /^ENGINES_FILE .*broken\.json cannot be read as JSON/],
  ['an engine that lacks fields', { ENGINES_FILE: odd }, /^ENGINES_FILE is not usable:\n {2}new\.name: /],
  ['a port that is taken', { PORT: String(taken.port) }, new RegExp(`^PORT: .* port ${taken.port} of 127`)],
  ['the dashboard’s port', { DASHBOARD_PORT: String(taken.port) }, /^DASHBOARD_PORT: another program has port/],
  ['an address of another machine', { HOST: '203.0.113.7' }, /^HOST: this machine has no address 203\.0\.113\.7/],
  ['one port for two', { PORT: String(free), DASHBOARD_PORT: String(free) }, /^PORT: DASHBOARD_PORT is port \d+, too/],
  ['a database that is not there', noDatabase, /^DATABASE_URL: PostgreSQL at/],
  ['a database at a name with several addresses', noDatabaseByName, /^DATABASE_URL: .* cannot be used: .*ECONNREFUSED/],
  ['a database without TLS', withoutTls, /^DATABASE_URL: .* cannot be used: The server does not support SSL/],
  ['a role without rights', { DATABASE_URL: withoutRights }, /^DATABASE_URL: .*permission denied .*: its role may not/],
  ['a replica', { DATABASE_URL: readOnly }, /^DATABASE_URL: .*read-only transaction: it takes no writes/],
  ['a folder that cannot be made', { DATABASE_URL: '', DATA_DIR: odd }, /^DATA_DIR: the folder cannot be made: EEXIST/],
  ...inRefusing.map(
    (path): Refused => [
      `a folder in one that takes none: ${path}`,
      { DATABASE_URL: '', DATA_DIR: path },
      /^DATA_DIR: the folder cannot be made: ENOENT: no such file or directory, mkdir '\/proc\/x'\.$/,
    ],
  ),
])('%s', (_what, env, sentence) => {
  it('ends the start with a sentence that names the setting, and no stack', () => {
    const { status, stdout, stderr } = start(env);
    expect(status).toBe(1);
    expect(stderr).toBe('');
    const [event, ...more] = stdout.trim().split('\n');
    expect(more).toEqual([]);
    expect(JSON.parse(event ?? '')).toEqual({
      level: 60,
      time: expect.any(Number),
      msg: expect.stringMatching(sentence),
    });
  });
});

/** By a start that ends before the service is loaded. */
describe('LOG_FORMAT', () => {
  it('pretty says it in plain words', () => {
    const { stdout } = start({ LOG_FORMAT: 'pretty', ...noDatabase });
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d FATAL DATABASE_URL: PostgreSQL at .+\n$/);
  });

  const script = ['script', '-qec', `${process.execPath} ${MAIN}`, '/dev/null'];
  const hasScript = spawnSync('script', ['--version']).status === 0;
  if (!hasScript) console.log('skipped: the machine has no `script` to make a terminal with');
  it.skipIf(!hasScript)('is pretty on a terminal, and json there where it says so', () => {
    const env = { ...noDatabase, TERM: 'xterm' };
    expect(start(env, script).stdout).toMatch(/FATAL.* DATABASE_URL: PostgreSQL at/);
    expect(start({ ...env, LOG_FORMAT: 'json' }, script).stdout).toMatch(
      /^\{"level":60,.*"DATABASE_URL: PostgreSQL at/,
    );
  });
});
