import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { LoadOrder, LoadReport } from './processes/load.ts';

const ROOT = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

/** Everything a benchmark needs on one machine: PostgreSQL (durable), the product, the anchors, an instant engine. */
export interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly productPort: number;
  readonly productPid: number;
  readonly floorPort: number;
  readonly floorPid: number;
  readonly key: string;
  load(order: Omit<LoadOrder, 'key' | 'seconds'> & { key?: string | null; seconds?: number }): Promise<LoadReport>;
}

export async function openStage(options: { seconds: number; env?: Record<string, string> }): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-router-bench-'));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
  const children: ChildProcess[] = [];
  const [enginePort, productPort, floorPort] = [await freePort(), await freePort(), await freePort()];
  const engineUrl = `http://127.0.0.1:${enginePort}/v1`;
  const enginesFile = join(folder, 'engines.json');
  const entry = {
    id: 'instant',
    name: 'Instant',
    provider: 'bench',
    adapter: 'openai',
    base_url: engineUrl,
    model: 'bench',
  };
  writeFileSync(enginesFile, JSON.stringify({ engines: [{ ...entry, price_per_page_usd: 0.001, concurrency: 64 }] }));
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: join(folder, 'data'),
    ENGINES_FILE: enginesFile,
    PORT: String(productPort),
    LOG_LEVEL: 'info',
    DEMO_ACCOUNT: 'false',
    ...options.env,
  };
  const start = async (args: string[], waitFor: string): Promise<ChildProcess> => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await said(child, waitFor);
    return child;
  };
  await start(['bench/processes/engine.ts', String(enginePort)], 'ready');
  const product = await start(['server/dist/main.js'], 'ocr-router is ready');
  const admin = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, ['server/dist/admin/main.js', ...args], { cwd: ROOT, env });
    return JSON.parse(stdout) as Record<string, string>; // each command prints one JSON object
  };
  const account = await admin(
    'account',
    'create',
    '--email',
    'bench@localhost',
    '--credit',
    '100000',
    '--tier',
    'unlimited',
  );
  const { api_key: key = '' } = await admin('key', 'create', '--account', account['account_id'] ?? '');
  const catalogue = await (await fetch(`http://127.0.0.1:${productPort}/v1/engines`)).text();
  const floor = await start(
    ['bench/anchors/floor.ts', String(floorPort), databaseUrl(env.DATA_DIR), engineUrl, catalogue],
    'ready',
  );
  return {
    folder,
    productPort,
    productPid: product.pid ?? 0,
    floorPort,
    floorPid: floor.pid ?? 0,
    key,
    load: async (order) => {
      const whole = { key: null, seconds: options.seconds, ...order };
      const { stdout } = await run(process.execPath, ['bench/processes/load.ts', JSON.stringify(whole)], { cwd: ROOT });
      const report = JSON.parse(stdout) as LoadReport; // the load process prints it
      if (report.notOk > 0) throw new Error(`${report.notOk} answers were not 200, the first: ${report.firstNotOk}`);
      return report;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(children.map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The embedded PostgreSQL of the product serves the anchors, too: the same settings, the same disk. */
function databaseUrl(dataDir: string): string {
  const record = JSON.parse(readFileSync(join(dataDir, 'embedded-postgres.json'), 'utf8')) as {
    port: number;
    password: string;
  };
  return `postgres://ocr_router:${record.password}@127.0.0.1:${record.port}/ocr_router`;
}

function said(child: ChildProcess, text: string): Promise<void> {
  return new Promise((done, failed) => {
    child.stdout?.on('data', (chunk: Buffer) => chunk.includes(text) && done());
    child.on('exit', (code) => failed(new Error(`${child.spawnargs.join(' ')} ended with ${code}`)));
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null) return done();
    child.removeAllListeners('exit');
    child.once('exit', () => done());
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  });
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }; // a TCP server's address
      server.close(() => done(port));
    });
  });
}
