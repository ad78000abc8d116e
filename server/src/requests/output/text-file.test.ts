import { text as joined } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { ReadPage } from './read-page.ts';
import { textFile } from './text-file.ts';

const PROVENANCE = { requestId: 'ocr_1', version: '1', engines: ['reader'], dpi: 300 };

async function* pages(...texts: (string | null)[]): AsyncGenerator<ReadPage> {
  for (const [index, text] of texts.entries())
    yield { page: index + 1, engine: 'reader', text, layout: null, lines: [] };
}

async function fileOf(format: 'text' | 'markdown', ...texts: (string | null)[]): Promise<string> {
  return joined(textFile(format, pages(...texts), PROVENANCE));
}

it('joins pages as a result does: a blank one has its place, one that adds nothing has none', async () => {
  expect(await fileOf('markdown', 'one', null, '', 'four')).toBe('one\n\n---\n\n\n\n---\n\nfour');
});

it('takes Markdown off a plain text alone', async () => {
  expect(await fileOf('text', '# Title\n**bold**')).toBe('Title\nbold');
  expect(await fileOf('markdown', '# Title\n**bold**')).toBe('# Title\n**bold**');
});
