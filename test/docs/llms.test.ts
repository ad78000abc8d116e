import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeLlms } from '../../docs/.vitepress/pages.ts';
import { readPage, readPages } from './pages.ts';

const site = await mkdtemp(join(tmpdir(), 'ocr-llms-'));
afterAll(() => rm(site, { recursive: true, force: true }));
await writeLlms(site);
const list = await readFile(join(site, 'llms.txt'), 'utf8');

it('llms.txt names every page, with what it says', () => {
  expect(list).toMatch(/^# ocr-router\n\n> \S.*\n\n## /);
  const listed = [...list.matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\): \S.*$/gm)].map(([, file = '']) => `docs/${file}`);
  const pages = readPages().map(({ path }) => path);
  const others = pages.filter((path) => path.startsWith('docs/') && path !== 'docs/index.md');
  expect(listed.toSorted()).toEqual(others.toSorted());
});

it('each page has words of its own', () => {
  const words = [...list.matchAll(/^- \[[^\]]+\]\([\w-]+\.md\): (\S.*)$/gm)].map(([, said]) => said);
  expect(words.filter((said, at) => words.indexOf(said) !== at)).toEqual([]);
});

it('the pages that it names are there, whole', async () => {
  const files = (await readdir(site)).filter((name) => name.endsWith('.md'));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files.filter((name) => name !== 'settings.md')) {
    expect(await readFile(join(site, file), 'utf8')).toBe(readPage(`docs/${file}`).text);
  }
  const settings = await readFile(join(site, 'settings.md'), 'utf8');
  expect(settings).toMatch(/^\| `DATABASE_URL` \|/m); // the table of the README
  expect(settings).not.toContain('@include');
});
