import { pbkdf2Sync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Contender } from '../../accuracy/suite/contenders.ts';
import { processorSeconds } from '../../accuracy/suite/processor-time.ts';
import { measureSuite, showSuite, wordRecall } from '../../accuracy/suite/suite.ts';
import { readSuite } from '../../accuracy/suite/suite-documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'suite-'));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(join(folder, 'a.txt'), 'one two three');
writeFileSync(join(folder, 'b.txt'), 'four five six');
const files = [
  { file: 'a.png', language: 'en+ko', tags: ['image', 'skewed'], expected_text_file: 'a.txt' },
  { file: 'b.pdf', tags: ['pdf'], expected_text_file: 'b.txt' },
  { file: 'no-truth.png', expected_text_file: null },
];
writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files }));

const says = (name: string, texts: Record<string, string | null>): Contender => ({
  name,
  async read({ name: document }) {
    const text = texts[document];
    if (text === undefined) throw new Error('it broke\nsomewhere');
    return text === null ? null : { text, costUsd: 0.001 };
  },
});

it('reads the documents of a manifest that have a truth, with their languages and kinds', () => {
  expect(readSuite(folder).map(({ name, languages, kinds }) => ({ name, languages, kinds }))).toEqual([
    { name: 'a.png', languages: ['en', 'ko'], kinds: ['image', 'skewed'] },
    { name: 'b.pdf', languages: ['en'], kinds: ['pdf'] },
  ]);
});

it('takes the text of each page as often as there are pages, where the note says that the truth is per page', () => {
  const turned = mkdtempSync(join(folder, 'turned-'));
  writeFileSync(join(turned, 'c.txt'), 'one page');
  const document = { file: 'c.pdf', pages: 4, expected_text_file: 'c.txt' };
  const note = 'in four directions, truth is per page';
  writeFileSync(join(turned, 'manifest.json'), JSON.stringify({ files: [{ ...document, note }, document] }));
  expect(readSuite(turned).map(({ text }) => text)).toEqual([Array(4).fill('one page').join('\n'), 'one page']);
});

it('counts the words that were read, wherever they stand, each as often as it stands there', () => {
  expect(wordRecall('a b b c', 'c b a')).toBe(0.75);
  expect(wordRecall('a', 'b')).toBe(0);
  expect(wordRecall('', 'b')).toBe(1);
});

describe('the comparison', () => {
  const contenders = [
    says('ours', { 'a.png': 'one two three', 'b.pdf': 'four five six' }),
    says('theirs', { 'a.png': 'one twe three', 'b.pdf': null }),
    says('broken', { 'a.png': 'one two three' }),
  ];

  it('measures every document that a contender takes; one that fails has read nothing', async () => {
    const measured = await measureSuite(readSuite(folder), contenders);
    expect(
      measured.map(({ contender, document, cer, failure }) => [contender, document, cer.toFixed(2), failure]),
    ).toEqual([
      ['ours', 'a.png', '0.00', null],
      ['theirs', 'a.png', '0.08', null],
      ['broken', 'a.png', '0.00', null],
      ['ours', 'b.pdf', '0.00', null],
      ['broken', 'b.pdf', '1.00', 'it broke'],
    ]);
  });

  it('names who is better by more than 0.01, and shows the means of each kind', async () => {
    const shown = showSuite(await measureSuite(readSuite(folder), contenders));
    expect(shown).toContain('- ours against theirs, 1 documents: better on 1 (a.png), worse on 0.');
    expect(shown).toContain('- ours against broken, 2 documents: better on 1 (b.pdf), worse on 0.');
    expect(shown).not.toContain('NaN');
    expect(shown).toMatch(/\| skewed \| 0\.000 \/ 1\.000 \/ \S+ \/ 0\.0010 \| 0\.077 \/ 0\.667 /);
  });
});

it('shows a dash for what is not known, and means of what is', async () => {
  const [known] = await measureSuite(readSuite(folder).slice(0, 1), [says('ours', { 'a.png': 'one two three' })]);
  if (!known) throw new Error('nothing was measured');
  const unknown = { ...known, document: 'b.pdf', processorSeconds: null, costUsd: null };
  const shown = showSuite([{ ...known, processorSeconds: 0.5 }, unknown]);
  expect(shown).toContain('| b.pdf | 0.000 / 1.000 / – / – |');
  expect(shown).toContain('| **all** | 0.000 / 1.000 / 0.50 / 0.0010 |');
});

it('knows the seconds of the processor that were used', async (context) => {
  const before = processorSeconds();
  if (before === null) return context.skip('only Linux tells them');
  pbkdf2Sync('work', 'to do', 500_000, 32, 'sha256');
  expect(processorSeconds()).toBeGreaterThan(before);
});
