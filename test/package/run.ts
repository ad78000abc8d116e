// `npm run test:package`, on a built product: the package as it is packed, installed into an empty folder, started there, and a
// first text read with it. Prints sizes and times beside their bars, and ends with 1 where a bar is missed. How long the
// installation takes depends on what of it npm has in its cache.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const PICTURE = join(ROOT, 'test/fixtures/quick-brown-fox.png');
/** Megabytes of node_modules, and seconds from an empty folder to the first text: installation, first start, reading. */
const BARS = { full: 400, small: 160, firstText: 60 } as const;
const INSTALL_MS = 600_000;
const run = promisify(execFile);

/** Packs the package and installs it into an empty folder; gives the folder and its size. */
async function install(
  place: string,
  kind: 'full' | 'small',
): Promise<{ folder: string; mb: number; packedMb: number; seconds: number }> {
  const staged = join(place, `stage-${kind}`);
  const options = kind === 'small' ? ['--small'] : [];
  await run(process.execPath, [join(ROOT, 'deploy/scripts/stage.mjs'), ...options, staged]);
  const { stdout } = await run('npm', ['pack', '--silent'], { cwd: staged });
  const tarball = join(staged, stdout.trim());
  const packedMb = (await readFile(tarball)).length / 1e6;
  const folder = join(place, kind);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  const wish = ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball];
  const began = performance.now();
  await run('npm', wish, { cwd: folder, timeout: INSTALL_MS, maxBuffer: 1e8 });
  const seconds = (performance.now() - began) / 1000;
  const size = await run('du', ['-sm', 'node_modules'], { cwd: folder });
  return { folder, mb: Number(size.stdout.split('\t')[0]), packedMb: Number(packedMb.toFixed(1)), seconds };
}

/** Starts the installed command and reads a first picture with the key that the start prints. */
async function firstText(folder: string): Promise<{ seconds: number; text: string }> {
  const [port, dashboardPort] = await freePorts();
  const env = {
    ...process.env,
    PORT: String(port),
    DASHBOARD_PORT: String(dashboardPort),
    DATA_DIR: join(folder, 'data'),
  };
  const command = join(folder, 'node_modules/.bin/ocr-router');
  const began = performance.now();
  const child = spawn(command, ['serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  try {
    const key = await until('the first key', () => /sk-ocr-[\w-]+/.exec(output)?.[0]);
    const path = join(folder, 'page.png');
    await writeFile(path, await readFile(PICTURE));
    const wish = { ...env, OCR_ROUTER_URL: `http://127.0.0.1:${port}`, OCR_ROUTER_API_KEY: key };
    await run(command, ['read', path, '--yes'], { env: wish, timeout: BARS.firstText * 2000 });
    const text = (await readFile(join(folder, 'page.txt'), 'utf8')).trim();
    return { seconds: (performance.now() - began) / 1000, text };
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

async function until<T>(what: string, look: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 1200; tries++) {
    const found = look();
    if (found !== undefined) return found;
    await sleep(100);
  }
  throw new Error(`waited in vain for ${what}`);
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ports.push((server.address() as { port: number }).port);
  }
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return [ports[0] ?? 0, ports[1] ?? 0];
}

const place = await mkdtemp(join(tmpdir(), 'ocr-package-'));
try {
  const full = await install(place, 'full');
  const first = await firstText(full.folder);
  const small = await install(place, 'small');
  const version = (await run(join(small.folder, 'node_modules/.bin/ocr-router'), ['--version'])).stdout.trim();
  const reads = /quick brown fox/i.test(first.text);
  const seconds = full.seconds + first.seconds;
  const ok = full.mb <= BARS.full && small.mb <= BARS.small && seconds <= BARS.firstText && reads && version !== '';
  const report = {
    ok,
    packed_mb: full.packedMb,
    installed_mb: full.mb,
    small_installed_mb: small.mb,
    install_seconds: Number(full.seconds.toFixed(1)),
    start_and_read_seconds: Number(first.seconds.toFixed(1)),
    first_text_seconds: Number(seconds.toFixed(1)),
    first_text: first.text,
    bars: BARS,
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = ok ? 0 : 1;
} finally {
  await rm(place, { recursive: true, force: true });
}
