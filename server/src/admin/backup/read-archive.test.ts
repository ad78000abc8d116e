import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { readHeader } from './read-archive.ts';

const NO_FILE = 'cannot be read: there is no such file.';
const folder = mkdtempSync(join(tmpdir(), 'ocr-router-read-archive-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Opens every file as the system does for a user who may not. */
function forbidFiles(): void {
  const denied = { code: 'EACCES', syscall: 'open', errno: -13 };
  const stream = new Readable({
    read() {
      this.destroy(Object.assign(new Error('EACCES: permission denied'), denied));
    },
  });
  vi.spyOn(fs, 'createReadStream').mockReturnValue(stream as fs.ReadStream); // only read from
  syncBuiltinESMExports();
}

/** Says with which sentence the path is refused as the caller's mistake. */
async function expectRefusal(path: string, sentence: string): Promise<void> {
  await expect(readHeader(path)).rejects.toMatchObject({ code: 'invalid_request', message: `${path} ${sentence}` });
}

it('tells of a folder that it is one', async () => {
  await expectRefusal(folder, 'is a folder: name the file of the backup that is in it.');
});

it('tells that there is no such file, and no folder that it could be in', async () => {
  await expectRefusal(join(folder, 'absent.tar.gz'), NO_FILE);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expectRefusal(join(file, 'below.tar.gz'), NO_FILE);
});

it('tells of a file that this user may not read', async () => {
  forbidFiles();
  await expectRefusal(
    join(folder, 'a.tar.gz'),
    'may not be read by the user who runs this command: let that user read it.',
  );
});

it('tells what else the system says, and of which file', async () => {
  const path = join(folder, 'a'.repeat(300));
  await expectRefusal(path, `cannot be read: ENAMETOOLONG: name too long, open '${path}'.`);
});
