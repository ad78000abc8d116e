import { spawn, spawnSync } from 'node:child_process';
import { delimiter, dirname, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { startProduct } from '../house/product.ts';

const ENTRIES = resolve(import.meta.dirname, '../../server/dist');
/** Makes this Node, which is the one that comes with the packages, believe that it is an older one. */
const AGED =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';

/** A Node of the machine that is too old; null where there is none. */
const old = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const version = /^v(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  return version !== undefined && Number(version) < 24;
});
if (!old) console.log('skipped: the machine has no Node that is too old');

it.each(['main.js', 'api.js', 'worker.js', 'admin/main.js'])('%s says what it needs where Node is too old', (entry) => {
  const run = spawnSync(process.execPath, ['--import', AGED, resolve(ENTRIES, entry)], { encoding: 'utf8' });
  expect(run.status).toBe(1);
  expect(run.stderr).toMatch(/^ocr-router needs Node 24 or newer, and this is Node 20\.1\.0\. .+\n$/);
  expect(run.stdout).toBe('');
});

it.skipIf(!old)('goes on with the Node of the packages where the machine has an old one', async () => {
  await using product = await startProduct({ program: old ?? '' });
  expect((await fetch(`${product.url}/livez`)).status).toBe(200);
  await product.stop();
  expect(product.end).toBe(0);
});

it.skipIf(!old)('so do commands', async () => {
  const run = spawn(old ?? '', [resolve(ENTRIES, 'admin/main.js'), '--help']);
  let output = '';
  for await (const chunk of run.stdout) output += String(chunk);
  expect(output).toContain('Operates an ocr-router');
});

it.skipIf(!old)('npm runs its scripts, the build before a start among them, with the Node of the packages', () => {
  const env = { ...process.env, PATH: `${dirname(old ?? '')}${delimiter}/bin` };
  const run = spawnSync('npm', ['exec', '--call', 'node --version'], {
    cwd: resolve(ENTRIES, '../..'),
    env,
    encoding: 'utf8',
  });
  expect(run.stdout.trim()).toBe(process.version);
});
