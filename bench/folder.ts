import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for a database and what else a bench needs; it is gone afterwards. */
export function openFolder(): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-router-bench-'));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
