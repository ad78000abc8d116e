// `npm run test:image`: the image of deploy/Dockerfile, built by `buildah` over a Debian of this machine's package source, then
// started as uid 10001 over a read-only root, where it reads a first page. Prints what it saw, and ends with 1 where something is
// missing; with 2, and a sentence, on a machine that cannot do it.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startCluster } from '../house/cluster.ts';
import { freePorts } from '../house/free-ports.ts';
import { makeBase } from './base.ts';
import { Buildah } from './buildah.ts';
import { Sandbox } from './sandbox.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PICTURE = join(ROOT, 'test/fixtures/quick-brown-fox.png');
const PROGRAMS = ['buildah', 'debootstrap', 'unshare', 'apt-get'];
/** Megabytes of the image's root, and who it runs as. */
const BARS = { mb: 450, user: '10001:10001' } as const;
const START_MS = 120_000;
const run = promisify(execFile);

function obstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  const missing = PROGRAMS.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return missing.length > 0 ? `there is no ${missing.join(', no ')}` : null;
}

/** An account with a key, made by the image's own commands. */
async function makeKey(sandbox: Sandbox, env: Record<string, string>): Promise<string> {
  const admin = async (...command: string[]) => {
    const child = sandbox.command(['admin', ...command], env);
    return JSON.parse(await text(child.stdout)) as Record<string, string>;
  };
  const { account_id = '' } = await admin('account', 'create', '--email', 'image@example.com', '--credit', '1');
  const { api_key = '' } = await admin('key', 'create', '--account', account_id);
  return api_key;
}

async function read(url: string, key: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/ocr`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'first', 'content-type': 'application/json' },
    body: JSON.stringify({
      engine: 'tesseract',
      input: { type: 'base64', data_base64: await readFile(PICTURE, 'base64') },
    }),
  });
  return ((await response.json()) as { extracted_text?: string }).extracted_text;
}

async function ready(url: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) return;
  }
  throw new Error(`not ready within ${START_MS / 1000} s`);
}

/** Starts it over a database of its own, reads with it, asks its health check and ends it. */
async function tryOut(sandbox: Sandbox, databaseUrl: string) {
  const [port = 0, dashboardPort = 0] = await freePorts(2);
  const env = { DATABASE_URL: databaseUrl, PORT: String(port), DASHBOARD_PORT: String(dashboardPort) };
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const service = sandbox.command(['serve'], env);
  service.stdout.resume();
  const ended = once(service, 'exit');
  try {
    await Promise.race([ready(url), ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}`)))]);
    const readyMs = performance.now() - began;
    const firstText = await read(url, await makeKey(sandbox, env));
    const [health] = await once(sandbox.start(['node', '/app/healthy.mjs'], env), 'exit');
    const [written] = await once(sandbox.start(['touch', '/app/written'], env), 'exit');
    service.kill('SIGTERM');
    const [code] = await ended;
    return { ready_seconds: Number((readyMs / 1000).toFixed(1)), text: firstText, health, written, exit: code };
  } finally {
    if (service.exitCode === null) service.kill('SIGKILL');
  }
}

async function main(place: string, databaseUrl: string): Promise<void> {
  const buildah = await Buildah.open(place);
  try {
    const base = join(place, 'base');
    await mkdir(base);
    const began = performance.now();
    await makeBase(base);
    await buildah.import(base, 'localhost/ocr-router-base');
    await rm(base, { recursive: true });
    await buildah.build(ROOT, { base: 'localhost/ocr-router-base', name: 'localhost/ocr-router' });
    const buildSeconds = Math.round((performance.now() - began) / 1000);
    const image = await buildah.mount('localhost/ocr-router');
    const size = await run('du', ['-sxm', image.root]);
    const mb = Number(size.stdout.split('\t')[0]);
    const seen = await tryOut(new Sandbox(image), databaseUrl);
    const isRead = /quick brown fox/i.test(String(seen.text));
    const { User: user } = image.config;
    const isBuilt = mb <= BARS.mb && user === BARS.user;
    const ok = isBuilt && isRead && seen.health === 0 && seen.written !== 0 && seen.exit === 0;
    process.stdout.write(
      `${JSON.stringify({ ok, mb, user, build_seconds: buildSeconds, ...seen, bars: BARS }, null, 2)}\n`,
    );
    process.exitCode = ok ? 0 : 1;
  } finally {
    await buildah.clean();
  }
}

const why = obstacle();
if (why) {
  process.stderr.write(`The image cannot be built here: ${why}.\n`);
  process.exitCode = 2;
} else {
  const place = await mkdtemp(join(tmpdir(), 'ocr-image-'));
  const cluster = await startCluster();
  try {
    await main(place, await cluster.createDatabase());
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    await cluster.stop();
    await rm(place, { recursive: true, force: true });
  }
}
