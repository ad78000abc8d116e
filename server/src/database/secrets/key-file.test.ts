import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeKeyFile, readKeyFile, turnKeyFile } from './key-file.ts';

const folders: string[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-keys-'));
  folders.push(folder);
  return folder;
}

/** What the file holds each time that something is made durable; null while there is none. */
function contentsAtSyncs(path: string): (string | null)[] {
  const seen: (string | null)[] = [];
  const { fsyncSync } = fs;
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    seen.push(fs.existsSync(path) ? readFileSync(path, 'utf8') : null);
    fsyncSync(descriptor);
  });
  syncBuiltinESMExports();
  return seen;
}

it('makes a new file durable under its name', () => {
  const path = join(newFolder(), 'made', 'secrets.key');
  const seen = contentsAtSyncs(path);
  const { current, previous } = makeKeyFile(path);
  expect([readKeyFile(path), previous]).toEqual([{ current, previous: null }, null]);
  expect(seen.at(-1)).toBe(readFileSync(path, 'utf8'));
});

it('makes the next key durable before anything is encrypted with it', () => {
  const path = join(newFolder(), 'secrets.key');
  const { current } = makeKeyFile(path);
  const seen = contentsAtSyncs(path);
  turnKeyFile(path, current);
  expect(readKeyFile(path)?.previous).toEqual(current);
  expect(seen.at(-1)).toBe(readFileSync(path, 'utf8'));
});
