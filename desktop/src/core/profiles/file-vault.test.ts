import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileVault, UNSEALED } from './file-vault.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ocr-router-vault-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function open(): FileVault {
  return new FileVault(join(folder, 'tokens.json'), UNSEALED);
}

it('keeps tokens that are written while the file is still being read', async () => {
  await open().set('old', 'sk-0');
  const vault = open();
  await Promise.all([vault.get('old'), vault.set('one', 'sk-1'), vault.set('other', 'sk-2')]);
  const again = open();
  expect(await Promise.all(['old', 'one', 'other'].map((id) => again.get(id)))).toEqual(['sk-0', 'sk-1', 'sk-2']);
});

it('reads the file again where it could not be read before', async () => {
  const path = join(folder, 'inside', 'tokens.json');
  await writeFile(join(folder, 'inside'), 'no folder');
  const vault = new FileVault(path, UNSEALED);
  await expect(vault.get('one')).rejects.toMatchObject({ code: 'ENOTDIR' });
  await rm(join(folder, 'inside'));
  expect(await vault.get('one')).toBeNull();
});
