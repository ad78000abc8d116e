import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, open, realpath, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowedFile } from './allowed-file.ts';

const folder = await realpath(await mkdtemp(join(tmpdir(), 'ocr-allowed-')));
const root = join(folder, 'documents');
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await mkdir(join(root, '..scans'), { recursive: true });
  for (const path of ['..x.pdf', '..scans/page.png', 'page.png', '../outside.png'])
    await writeFile(join(root, path), path);
  await symlink(join(folder, 'outside.png'), join(root, '..link.png'));
});

it.each(['page.png', '..x.pdf', '..scans/page.png', './..scans/../page.png'])(
  '%s is below the folder',
  async (path) => {
    expect(String(await allowedFile(root, path))).toBe(join(path));
  },
);

it.each(['../outside.png', '..link.png', '..', '.'])('%s is not', async (path) => {
  await expect(allowedFile(root, path)).rejects.toThrow(/outside of the folder/);
});

it.skipIf(process.platform !== 'linux')('a name that is no UTF-8 is below the folder, too', async () => {
  const name = (latin1: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(latin1, 'latin1')]);
  await mkdir(name('d\xe9p\xf4t'));
  await writeFile(name('d\xe9p\xf4t/\xe9t\xe9.png'), 'summer');
  expect(String(await allowedFile(`${root}/d\udce9p\udcf4t`, '\udce9t\udce9.png'))).toBe('summer');
});

it('what is no file is none of the documents: a pipe would be waited for without an end', async () => {
  const pipe = join(root, 'pipe.pdf');
  const hasPipes = spawnSync('mkfifo', [pipe]).status === 0; // Windows has none
  for (const path of ['..scans', ...(hasPipes ? ['pipe.pdf'] : [])]) {
    await expect(allowedFile(root, path)).rejects.toThrow(`${path} is no file.`);
  }
});

it('what takes the place of a folder while the file is opened is not read', async () => {
  const [scans, aside, link] = ['scans', 'aside', 'link'].map((name) => join(root, name)) as [string, string, string];
  await mkdir(scans);
  await writeFile(join(scans, 'outside.png'), 'inside');
  await symlink(folder, link);
  const swapping: typeof open = async (...args) => {
    await rename(scans, aside);
    await rename(link, scans);
    const opened = await open(...args);
    await rename(scans, link);
    await rename(aside, scans);
    return opened;
  };
  expect(String(await allowedFile(root, 'scans/outside.png'))).toBe('inside');
  await expect(allowedFile(root, 'scans/outside.png', swapping)).rejects.toThrow('was changed while it was opened');
});

it('what is larger than a body is not read into memory', async () => {
  await writeFile(join(root, 'large.pdf'), '');
  await truncate(join(root, 'large.pdf'), 2 ** 34);
  await expect(allowedFile(root, 'large.pdf')).rejects.toThrow(
    'large.pdf has 17179869184 bytes; a body holds 7800000.',
  );
});
