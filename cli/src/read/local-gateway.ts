import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dataIn, removeFolder } from './local-folder.ts';

const START_MS = 120_000;
const STOP_MS = 30_000;
/** The catalogue: engines of this machine, which cost nothing here. */
const ENGINES = { engines: ['tesseract', 'pdf-text'].map((id) => ({ id, price_per_page_usd: 0 })) };
/**
 * Names of settings that are not handed on: those of a service on this machine would lead this one to its database, its ports or
 * its recipients.
 */
const OF_A_SERVICE = /^(ALERTS|ARCHIVE|DATABASE|IDP|METRICS|OTEL|REDIS|REPORTS|SECRETS|SMTP|WORKER)_/;

export interface LocalGateway extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
}

/**
 * Starts a gateway in a temporary folder, with an account of its own. Both are removed when it is disposed of, or this process
 * has ended.
 */
export async function startLocalGateway(): Promise<LocalGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-local-'));
  const [port, dashboardPort] = await freePorts();
  passBy('127.0.0.1');
  const enginesFile = join(folder, 'engines.json');
  await writeFile(enginesFile, JSON.stringify(ENGINES));
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_A_SERVICE.test(name))),
    ...{ HOST: '127.0.0.1', PORT: String(port), DASHBOARD_PORT: String(dashboardPort) },
    ...{ DATA_DIR: dataIn(folder), ENGINES_FILE: enginesFile, DEMO_ACCOUNT: 'false', LOG_LEVEL: 'error' },
  };
  // `detached`: a session of its own, because Ctrl-C is for the run, which then ends the gateway itself.
  const child = fork(fileURLToPath(import.meta.resolve('./local-process.js')), [folder], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  const url = `http://127.0.0.1:${port}`;
  const dispose = async () => {
    await stop(child);
    removeFolder(folder); // it has done so itself, unless it was killed
  };
  try {
    await ready(url, child);
    const account = await admin(env, ['account', 'create', '--email', 'local@localhost', '--tier', 'unlimited']);
    const { api_key } = await admin(env, ['key', 'create', '--account', String(account['account_id'])]);
    return { url, apiKey: String(api_key), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Has a host asked without the proxy that the environment may name (`NODE_USE_ENV_PROXY`). */
function passBy(host: string): void {
  const { no_proxy, NO_PROXY } = process.env;
  process.env['no_proxy'] = [no_proxy || NO_PROXY || [], host].flat().join(',');
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error('the local gateway did not start');
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error(`the local gateway was not ready within ${START_MS / 1000} s`);
}

async function admin(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [entry('admin/main.js'), ...args], {
    env,
    timeout: START_MS,
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(late);
}

function entry(file: string): string {
  return fileURLToPath(import.meta.resolve(`@ocr-router/server/dist/${file}`));
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return (server.address() as { port: number }).port;
    }),
  );
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return [ports[0] ?? 0, ports[1] ?? 0];
}
