import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePorts } from '../house/free-ports.ts';
import { until } from '../house/until.ts';
import { firstLines, type Installation } from './installation.ts';

/** The installed service, which runs. */
export interface Served extends AsyncDisposable {
  /** What clients and commands need, the key that the start has printed among it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts it by the line of `docs/start.md`. */
export async function serve({ env: installed }: Installation, folder: string): Promise<Served> {
  const [port, dashboardPort] = await freePorts(2);
  const env = { ...installed, PORT: `${port}`, DASHBOARD_PORT: `${dashboardPort}`, DATA_DIR: join(folder, 'data') };
  const child = spawn('bash', ['-c', `exec ${firstLines()[1]}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const end = async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  };
  try {
    const key = await until('the first key', () => /sk-ocr-[\w-]+/.exec(output)?.[0]);
    const client = { OCR_ROUTER_URL: `http://127.0.0.1:${port}`, OCR_ROUTER_API_KEY: key };
    return { env: { ...installed, ...client }, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}
