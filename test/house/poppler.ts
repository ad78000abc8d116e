import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/** What another reader than ours finds in a PDF, as `pdftotext` writes it with these options; skips the test where there is none. */
export function pdftotext(pdf: Uint8Array, context: Pick<TestContext, 'skip'>, ...options: string[]): string {
  const { error, stdout } = spawnSync('pdftotext', [...options, '-', '-'], { input: pdf, encoding: 'utf8' });
  if (error) context.skip('pdftotext (poppler) is not installed');
  return stdout ?? '';
}
