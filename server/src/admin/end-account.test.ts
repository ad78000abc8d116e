import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import type { Account } from '../accounts/model/account.ts';
import { exportAccount } from './end-account.ts';

const folder = mkdtempSync(join(tmpdir(), 'ocr-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* broken() {
  yield Buffer.from('the first bytes');
  throw new Error('no space left on device');
}

function exportTo(file: string) {
  const accounts = { find: async (id: string) => ({ id }) as Account }; // as: nothing else of it is asked for
  const stream = Readable.from(broken());
  const written = new Promise<never>((_resolve, reject) => {
    stream.once('close', () => reject(new Error('not read to its end')));
  });
  written.catch(() => undefined); // as the product's
  const exports = { open: async () => ({ fileName: 'export.tar.gz', stream, written }) };
  return exportAccount({ accounts, exports }, 'one', file);
}

it('leaves no file that is not whole, and one that was there as it was', async () => {
  const [fresh, kept] = [join(folder, 'fresh.tar.gz'), join(folder, 'kept.tar.gz')];
  await expect(exportTo(fresh)).rejects.toThrow('no space left');
  expect(existsSync(fresh)).toBe(false);
  writeFileSync(kept, 'before');
  await expect(exportTo(kept)).rejects.toThrow(/EEXIST/);
  expect(readFileSync(kept, 'utf8')).toBe('before');
});
