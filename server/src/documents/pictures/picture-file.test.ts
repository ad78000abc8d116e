import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { PictureFiles } from './picture-file.ts';

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

it('removes what killed processes have left, and nothing else', async () => {
  const pid = await deadPid();
  const left = await mkdtemp(join(tmpdir(), `ocr-router-pictures-${pid}-`));
  await writeFile(join(left, '1.png'), 'a page');
  const ours = await mkdtemp(join(tmpdir(), `ocr-router-pictures-${process.pid}-`));
  const target = await mkdtemp(join(tmpdir(), 'kept-'));
  const link = join(tmpdir(), `ocr-router-pictures-${pid}-link${process.pid}`);
  await mkdir(join(target, 'inside'));
  await symlink(target, link);
  await using files = new PictureFiles();
  await files.sweep();
  expect([left, ours, join(target, 'inside'), link].map((path) => existsSync(path))).toEqual([false, true, true, true]);
  await Promise.all([ours, target, link].map((path) => rm(path, { recursive: true, force: true })));
});

it('makes its folder again when it is gone', async () => {
  await using files = new PictureFiles();
  const first = await files.reserve();
  await rm(join(first, '..'), { recursive: true });
  await writeFile(await files.reserve(), 'a page');
});

it('makes its folder where there was no room for one before', async () => {
  await using files = new PictureFiles();
  vi.stubEnv('TMPDIR', join(tmpdir(), 'not-there'));
  await expect(files.reserve()).rejects.toMatchObject({ code: 'ENOENT' });
  vi.unstubAllEnvs();
  await writeFile(await files.reserve(), 'a page');
});

it('keeps nothing of a picture that could not be written whole', async () => {
  await using files = new PictureFiles();
  const folder = dirname(await files.reserve());
  const side = 1000;
  const noise = sharp(randomBytes(side * side), { raw: { width: side, height: side, channels: 1 } });
  const cutOff = sharp((await noise.jpeg().toBuffer()).subarray(0, -10_000), { failOn: 'error' }).png();
  await expect(files.write(cutOff, { dpi: null, warningsOf: () => [] })).rejects.toThrow();
  expect(await readdir(folder)).toEqual([]);
});
