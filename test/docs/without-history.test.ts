import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openHouse } from '../house/house.ts';
import { Examples } from './examples.ts';
import { blocksOf, readPage } from './pages.ts';
import { type Language, runBlocks } from './run-blocks.ts';

const examples = await Examples.open();
const house = await openHouse();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await examples[Symbol.asyncDispose]();
});

const PYTHON = spawnSync('python3', ['--version']).status === 0;
const CASES: readonly { language: Language; ending: string }[] = [
  { language: 'ts', ending: '.pdf.txt' },
  ...(PYTHON ? [{ language: 'python' as const, ending: '.txt' }] : []),
];

it.each(CASES)(
  'the program in $language that reads a folder keeps what it has, where a repeat has no text any more',
  async ({ language, ending }) => {
    const { apiKey } = await house.account({ history: false });
    const folder = await examples.folder();
    const [program] = blocksOf(readPage('docs/clients.md')).filter(
      (block) => block.role === 'run' && block.language === language,
    );
    if (!program) throw new Error('The page has no such program.');
    const env = { OCR_ROUTER_URL: house.product.url, OCR_ROUTER_API_KEY: apiKey };
    const texts = () =>
      Promise.all(['first', 'second'].map((name) => readFile(join(folder, 'scans', name + ending), 'utf8')));
    await runBlocks(language, [program], { folder, env });
    const before = await texts();
    expect(before).toEqual([expect.stringContaining('Invoice 0042'), expect.stringMatching(/fox/)]);
    await runBlocks(language, [program], { folder, env });
    expect(await texts()).toEqual(before);
  },
);
