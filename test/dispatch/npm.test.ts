import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
