import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowedPath } from './allowed-path.ts';

const folder = await realpath(await mkdtemp(join(tmpdir(), 'ocr-allowed-')));
const root = join(folder, 'documents');
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await mkdir(join(root, '..scans'), { recursive: true });
  for (const path of ['..x.pdf', '..scans/page.png', 'page.png', '../outside.png'])
    await writeFile(join(root, path), '');
  await symlink(join(folder, 'outside.png'), join(root, '..link.png'));
});

it.each(['page.png', '..x.pdf', '..scans/page.png', './..scans/../page.png'])(
  '%s is below the folder',
  async (path) => {
    expect(await allowedPath(root, path)).toBe(join(root, path));
  },
);

it.each(['../outside.png', '..link.png', '..', '.'])('%s is not', async (path) => {
  await expect(allowedPath(root, path)).rejects.toThrow(/outside of the folder/);
});

it('what is no file is none of the documents: a pipe would be waited for without an end', async () => {
  const pipe = join(root, 'pipe.pdf');
  const hasPipes = spawnSync('mkfifo', [pipe]).status === 0; // Windows has none
  for (const path of ['..scans', ...(hasPipes ? ['pipe.pdf'] : [])]) {
    await expect(allowedPath(root, path)).rejects.toThrow(`${path} is no file.`);
  }
});
