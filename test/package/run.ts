// `npm run test:package`, on a built product: the package as it is packed, installed where nothing of the checkout is by the line of
// docs/start.md, started there, and a first text read with it; then what docs/clients.md says, block by block. Prints sizes and
// times beside their bars, and ends with 1 where a bar is missed. How long the installation takes depends on what of it npm has
// in its cache.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../docs/pages.ts';
import { followClients } from './follow-pages.ts';
import { install } from './installation.ts';
import { type Served, serve } from './served.ts';

const PICTURE = join(ROOT, 'test/fixtures/quick-brown-fox.png');
/** Megabytes that are installed, and seconds from an empty folder to the first text: installation, first start, reading. */
const BARS = { full: 400, small: 160, firstText: 60 } as const;
const run = promisify(execFile);

/** What the installed command reads of a first picture. */
async function firstText({ env }: Served, folder: string): Promise<string> {
  const path = join(folder, 'page.png');
  await copyFile(PICTURE, path);
  await run('ocr-router', ['read', path, '--yes'], { env, timeout: BARS.firstText * 2000 });
  return (await readFile(join(folder, 'page.txt'), 'utf8')).trim();
}

async function newFolder(place: string, name: string): Promise<string> {
  const folder = join(place, name);
  await mkdir(folder);
  return folder;
}

const place = await mkdtemp(join(tmpdir(), 'ocr-package-'));
try {
  const full = await install(place, 'full');
  const began = performance.now();
  const reader = await newFolder(place, 'reader');
  await using served = await serve(full, reader);
  const text = await firstText(served, reader);
  const startAndRead = (performance.now() - began) / 1000;
  const followed = await followClients(served, await newFolder(place, 'program'));
  const small = await install(place, 'small');
  const { stdout: version } = await run('ocr-router', ['--version'], { env: small.env });
  const seconds = full.seconds + startAndRead;
  const reads = /quick brown fox/i.test(text);
  const ok =
    full.mb <= BARS.full && small.mb <= BARS.small && seconds <= BARS.firstText && reads && version.trim() !== '';
  const report = {
    ok,
    packed_mb: full.packedMb,
    installed_mb: full.mb,
    small_installed_mb: small.mb,
    install_seconds: Number(full.seconds.toFixed(1)),
    start_and_read_seconds: Number(startAndRead.toFixed(1)),
    first_text_seconds: Number(seconds.toFixed(1)),
    first_text: text,
    followed,
    bars: BARS,
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = ok ? 0 : 1;
} finally {
  await rm(place, { recursive: true, force: true });
}
