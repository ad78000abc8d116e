import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canEnter } from '../system/reachable.ts';
import { findUser } from '../system/system-user.ts';
import { NAMES, SILENT } from '../testing/options.ts';
import { findNative, type Native, program } from './native.ts';
import { usableNative } from './usable-native.ts';

const needs = { program: NAMES.program, log: SILENT };
const nobody = process.getuid?.() === 0 ? findUser(readFileSync('/etc/passwd', 'utf8'), ['nobody']) : null;
let folder = '';
let closed: Native;

/** The programs as npm leaves them with --ignore-scripts: without the libraries' links. */
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ocr-router-test-')));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'closed', 'package'), { recursive: true });
  const native = findNative();
  closed = { ...native, folder: join(folder, 'closed', 'package', 'native') };
  cpSync(native.folder, closed.folder, { recursive: true, filter: (path) => !isLink(native.folder, path) });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is there for this platform, and not for an unknown one', () => {
  expect(findNative().version).toMatch(/^\d+\.\d+/);
  expect(() => findNative('plan9-mips')).toThrow(/no embedded PostgreSQL for plan9-mips/);
});

it('runs where it is once the links that the install script makes are there', async () => {
  expect(version(closed, {})).toMatchObject({ status: 127 });
  const usable = await usableNative(closed, { ...needs, user: null, dataDir: folder });
  expect(usable).toEqual(closed);
  expect(version(usable, {})).toMatchObject({ status: 0, stdout: expect.stringContaining('(PostgreSQL)') });
});

it.runIf(nobody && canEnter(tmpdir(), nobody))('is copied, once, to where another user can run it', async () => {
  chmodSync(join(folder, 'closed'), 0o700);
  const others = { ...needs, user: nobody, dataDir: folder, shared: folder };
  const usable = await usableNative(closed, others);
  expect(usable.folder).toBe(join(folder, `postgres-${closed.version}`, 'native'));
  expect(version(usable, nobody ?? {})).toMatchObject({ status: 0, stdout: expect.stringContaining('(PostgreSQL)') });
  const { ino } = statSync(program(usable, 'postgres'));
  expect(await usableNative(closed, others)).toEqual(usable);
  expect(statSync(program(usable, 'postgres')).ino).toBe(ino);
});

function version(native: Native, user: { uid?: number; gid?: number }): { status: number | null; stdout: string } {
  return spawnSync(program(native, 'postgres'), ['--version'], { ...user, cwd: '/', env: {}, encoding: 'utf8' });
}

function isLink(native: string, path: string): boolean {
  const list: { target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  return list.some(({ target }) => basename(target) === basename(path));
}
