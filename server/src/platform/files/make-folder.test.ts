import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder, makeFolderNow } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'ocr-router-folders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderNow', async (path: string, mode?: number) => makeFolderNow(path, mode)],
])('%s', (name, make) => {
  it('makes a folder with those that it stands in, and leaves one that is there', async () => {
    const path = join(folder, name, 'a', 'b');
    await make(path, 0o700);
    await make(path, 0o755);
    expect(statSync(path).isDirectory()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('says what stands in the way', async () => {
    const file = join(folder, `${name}.txt`);
    writeFileSync(file, '');
    await expect(make(file)).rejects.toThrow('EEXIST');
    await expect(make(join(file, 'a'))).rejects.toThrow(process.platform === 'win32' ? /E/ : 'ENOTDIR');
  });

  it.skipIf(!existsSync('/proc/self'))('ends where a folder refuses others as if it were missing', async () => {
    for (const path of ['/proc/x', '/proc/x/y'])
      await expect(make(path)).rejects.toThrow("ENOENT: no such file or directory, mkdir '/proc/x'");
  });

  it('leaves the root of the file system', async () => {
    await make('/');
  });
});
