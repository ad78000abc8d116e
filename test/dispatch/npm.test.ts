import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../house/cluster.ts';
import { freePorts } from '../house/free-ports.ts';
import { until } from '../house/until.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const databaseUrl = await createDatabase();
const folder = await mkdtemp(join(tmpdir(), 'ocr-router-npm-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Script = 'start' | 'api' | 'worker';

/** The service as people start it: `npm run …`, without the build before it. Ends with whatever it has started. */
async function runNpm(script: Script) {
  const [port = 0, dashboardPort = 0, redisPort = 0] = await freePorts(3);
  const npm = spawn('npm', ['run', script, '--ignore-scripts'], {
    cwd: ROOT,
    detached: true, // a process group of its own, so that nothing of it outlives the test
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      ...(script === 'worker' && { WORKER_PORT: String(port) }),
      DASHBOARD_PORT: String(dashboardPort),
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      REDIS_URL: script === 'start' ? '' : `redis://127.0.0.1:${redisPort}`, // it may be away
      DEMO_ACCOUNT: 'false',
      LOG_LEVEL: 'info',
      npm_lifecycle_event: '',
    },
  });
  let log = '';
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (chunk) => (log += String(chunk)));
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      () => true,
      () => false,
    );
  await until(`npm run ${script} answers`, async () => {
    if (npm.exitCode !== null) throw new Error(`npm ended: ${log}`);
    return answers();
  });
  return { npm, answers, log: () => log, [Symbol.asyncDispose]: () => killGroup(npm) };
}

async function killGroup(npm: ChildProcess): Promise<void> {
  try {
    process.kill(-(npm.pid ?? 0), 'SIGKILL');
  } catch {} // nobody is left
}

describe('a service that npm has started', () => {
  it.each(['start', 'api', 'worker'] as const)(
    '`npm run %s` ends when npm is told to end, before npm',
    async (script) => {
      await using run = await runNpm(script);
      const ended = once(run.npm, 'exit');
      run.npm.kill('SIGTERM');
      await ended;
      expect(await run.answers()).toBe(false);
      expect(run.log()).toContain('stopping');
    },
  );

  it.each(['SIGHUP', 'SIGKILL'] as const)('notices when npm dies of %s', async (signal) => {
    await using run = await runNpm('start');
    run.npm.kill(signal);
    await until('it stops', () => run.log().includes('stopping'));
    await until('it has ended', async () => !(await run.answers()));
  });
});

describe('for a shell that has no `exec`', () => {
  const program = join(ROOT, 'server/scripts/exec.mjs');
  const run = (...command: string[]) => promisify(execFile)(process.execPath, [program, ...command]);

  it('runs what a script of npm names, with the variables before it', async () => {
    const tell = `console.log(process.env.A, process.env.B, process.argv[1]); process.exitCode = 3`;
    const ended = await run('env', 'A=1', 'B=x=y', 'node', '-e', tell, 'last=1').catch((error) => error);
    expect([ended.code, ended.stdout]).toEqual([3, '1 x=y last=1\n']);
    expect((await run('node', '-p', 'process.argv[0] === process.execPath')).stdout).toBe('true\n');
  });

  it('starts a service by no word that only another shell knows', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    for (const name of ['start', 'api', 'worker'])
      expect(scripts[name]).toMatch(/^exec (env (\w+=\w+ )+)?node [\w/.,\s-]+$/);
  });
});
