import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const DOCS = resolve(import.meta.dirname, '..');
export const TITLE = 'ocr-router';
export const DESCRIPTION = 'Self-hosted gateway for document text extraction (OCR): one REST contract, many engines.';

/** A line of a table of index.md: one or two pages, and what they say. */
interface Row {
  readonly pages: readonly { readonly title: string; readonly file: string }[];
  readonly says: string;
}

/** The first page lists all others; the navigation and llms.txt follow it. */
export function readIndex(): { title: string; rows: Row[] }[] {
  const [, ...sections] = readFileSync(join(DOCS, 'index.md'), 'utf8').split(/^## /m);
  return sections.map((section) => ({
    title: section.split('\n')[0] ?? '',
    rows: [...section.matchAll(/^\| (\[.+?) \| (.+?) \|$/gm)].map(([, links = '', says = '']) => ({
      pages: [...links.matchAll(/\[([^\]]+)\]\(([\w-]+\.md)\)/g)].map(([, title = '', file = '']) => ({ title, file })),
      says,
    })),
  }));
}

/** The pages as they are, and a list of them (llms.txt) for programs that read. */
export async function writeLlms(outDir: string): Promise<void> {
  const sections = readIndex().map(({ title, rows }) => {
    const lines = rows.flatMap(({ pages, says }) => pages.map((page) => `- [${page.title}](${page.file}): ${says}`));
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const files = readIndex().flatMap(({ rows }) => rows.flatMap(({ pages }) => pages.map(({ file }) => file)));
  await Promise.all(files.map(async (file) => writeFile(join(outDir, file), await readWhole(join(DOCS, file)))));
  await writeFile(join(outDir, 'llms.txt'), `# ${TITLE}\n\n> ${DESCRIPTION}\n\n${sections.join('\n')}`);
}

/** A page with what it takes from elsewhere: settings.md shows the table of the README. */
async function readWhole(path: string): Promise<string> {
  const page = await readFile(path, 'utf8');
  const [marker, file = '', region = ''] = /^<!--@include: (\S+)#([\w-]+)-->$/m.exec(page) ?? [];
  if (!marker) return page;
  const source = await readFile(resolve(path, '..', file), 'utf8');
  const [, rest = ''] = source.split(`<!-- #region ${region} -->`);
  return page.replace(marker, () => rest.split(`<!-- #endregion ${region} -->`)[0]?.trim() ?? '');
}
