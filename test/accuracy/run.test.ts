import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineReport } from '../../accuracy/report.ts';
import { readTruths } from '../../accuracy/truths.ts';
import { fails, refuses, says } from '../house/engine-answers.ts';
import { picture } from '../house/pictures.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CORPUS = join(ROOT, 'accuracy/corpus');

let engines: ScriptedEngines;
let folder: string;

beforeAll(async () => {
  engines = await ScriptedEngines.start();
  folder = await mkdtemp(join(tmpdir(), 'accuracy-test-'));
  for (const set of ['easy', 'hard']) {
    await mkdir(join(folder, set));
    await writeFile(join(folder, set, 'page.png'), await picture());
  }
  await writeFile(join(folder, 'easy/page.txt'), 'ten letter');
  await writeFile(join(folder, 'hard/page.txt'), 'ten lettes');
  await writeFile(
    join(folder, 'engines.json'),
    JSON.stringify({ engines: [engines.entry('exact'), engines.entry('broken'), engines.entry('refusing')] }),
  );
});
afterAll(async () => {
  await engines[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function accuracy(...args: string[]) {
  return promisify(execFile)(process.execPath, [join(ROOT, 'accuracy/run.ts'), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ENGINES_FILE: join(folder, 'engines.json'), LOG_LEVEL: 'silent' },
  });
}

it('measures configured engines and writes what ENGINES_FILE takes', async () => {
  engines.script('exact', says('ten letter'));
  engines.script('broken', fails(500, 'down'));
  engines.script('refusing', refuses('I cannot read this.'));
  const out = join(folder, 'report.json');
  const { stdout } = await accuracy('--engines', 'exact,broken,refusing,pdf-text', '--documents', folder, '--out', out);
  const reports = JSON.parse(await readFile(out, 'utf8')) as EngineReport[];
  const today = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
  expect(reports).toMatchObject([
    {
      engine: 'exact',
      all: { documents: 2, failures: 0, characterErrorRate: 0.05, wordErrorRate: 0.25, costUsd: 0.02 },
      benchmark: { easy_score: 100, hard_score: 90, ci: [90, 90], measured_at: today },
    },
    { engine: 'broken', all: { failures: 2, characterErrorRate: 1 }, benchmark: null },
    { engine: 'refusing', all: { failures: 2 }, benchmark: { easy_score: 0, hard_score: 0, ci: [0, 0] } },
    { engine: 'pdf-text', all: { documents: 0, characterErrorRate: null }, benchmark: null },
  ]);
  expect(stdout).toContain('"hard_score": 90');
});

it('refuses an engine that is not there', async () => {
  await expect(accuracy('--engines', 'nobody', '--documents', folder)).rejects.toThrow(/no engine "nobody"/);
});

it('ships a corpus of easy and hard documents, each with its text', () => {
  const truths = readTruths(CORPUS);
  expect(truths.filter(({ set }) => set === 'easy').length).toBeGreaterThanOrEqual(10);
  expect(truths.filter(({ set }) => set === 'hard').length).toBeGreaterThanOrEqual(24);
  for (const { text } of truths) expect(text.trim()).not.toBe('');
});

it('reads a manifest where there is one', async () => {
  const listed = await mkdtemp(join(folder, 'listed-'));
  await copyFile(join(folder, 'easy/page.png'), join(listed, 'a.png'));
  const documents = [
    { file: 'a.png', text: 'a', set: 'easy', language: 'de' },
    { file: 'b.png', text: 'b' },
  ];
  await writeFile(join(listed, 'manifest.json'), JSON.stringify({ documents }));
  expect(readTruths(listed)).toEqual([
    { name: 'a.png', set: 'easy', path: join(listed, 'a.png'), text: 'a', language: 'de' },
    { name: 'b.png', set: 'hard', path: join(listed, 'b.png'), text: 'b', language: 'en' },
  ]);
});

it('says which document has no text', async () => {
  const lonely = await mkdtemp(join(folder, 'lonely-'));
  await mkdir(join(lonely, 'hard'));
  await writeFile(join(lonely, 'hard/page.png'), '');
  expect(() => readTruths(lonely)).toThrow(/page\.png has no text/);
  expect(() => readTruths(join(lonely, 'nowhere'))).toThrow(/no manifest/);
});
