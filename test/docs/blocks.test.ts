import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { resolvedContract } from '../contract/resolved-contract.ts';
import { Examples } from './examples.ts';
import { NOT_RUN } from './not-run.ts';
import { type Block, blocksOf, ROOT, readPage, readPages } from './pages.ts';
import { programEnv, programOf } from './run-blocks.ts';

const pages = readPages().map((page) => ({ path: page.path, blocks: blocksOf(page) }));
const blocks = pages.flatMap((page) => page.blocks);
const named = (each: readonly Block[]) => each.map((block) => ({ ...block, name: `${block.page}:${block.line}` }));
const examples = await Examples.open();
afterAll(() => examples[Symbol.asyncDispose]());

it('every command is run, or is named with what is run in its place', () => {
  const mute = blocks.filter(({ language, role }) => role === '' && language !== 'json');
  const names = (known: (typeof NOT_RUN)[number], { page, code }: Block) =>
    known.page === page && code.startsWith(known.begins);
  const unnamed = mute.filter((block) => !NOT_RUN.some((known) => names(known, block)));
  expect(unnamed.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  expect(NOT_RUN.filter((known) => !mute.some((block) => names(known, block)))).toEqual([]);
});

it.each(named(blocks.filter(({ language }) => language === 'json')))('$name is JSON', ({ code }) => {
  expect(() => JSON.parse(code) as unknown).not.toThrow();
});

it.each([
  ['docs/webhooks.md', 'OcrCompletedEvent'],
  ['docs/positions.md', 'PageTable'],
])('the JSON of %s is a %s of the contract', (path, name) => {
  const [shown, ...more] = blocksOf(readPage(path)).filter(({ language, role }) => language === 'json' && role === '');
  expect(more).toEqual([]);
  const schema = resolvedContract('openapi').components.schemas[name];
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema ?? false);
  expect([check(JSON.parse(shown?.code ?? '')), check.errors]).toEqual([true, null]);
});

it.each(named(blocks.filter(({ language }) => language === 'yaml')))('$name is YAML', ({ code }) => {
  expect(parse(code)).toBeTypeOf('object');
});

const BASH = spawnSync('bash', ['--version']).status === 0;
if (!BASH) console.warn('skipped: the shell blocks, because there is no bash');
describe.skipIf(!BASH)('bash', () => {
  it.each(named(blocks.filter(({ language }) => language === 'bash')))('takes $name', ({ code }) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

const PYTHON = spawnSync('python3', ['--version']).status === 0;
if (!PYTHON) console.warn('skipped: the Python blocks, because there is no python3');
it.skipIf(!PYTHON)('Python takes every block', () => {
  const codes = blocks.filter(({ language }) => language === 'python').map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(20);
  const program = 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "page", "exec")';
  const options = { input: JSON.stringify(codes), encoding: 'utf8', env: programEnv() } as const;
  const { status, stderr } = spawnSync('python3', ['-c', program], options);
  expect([status, stderr]).toEqual([0, '']);
});

/** Blocks of a page that run make one program; each of the others is one. */
function typescriptFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { path, blocks } of pages) {
    const name = path.replace(/\W/g, '-');
    const run = blocks.filter(({ language, role }) => language === 'ts' && role === 'run');
    if (run.length > 0) files[`${name}.ts`] = programOf('ts', run);
    for (const { line, code } of blocks.filter(({ language, role }) => language === 'ts' && role !== 'run')) {
      files[`${name}-${line}.ts`] = code;
    }
  }
  return files;
}

it('TypeScript takes every block', async () => {
  const folder = await examples.folder();
  const files = typescriptFiles();
  expect(Object.keys(files).length).toBeGreaterThan(4);
  for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2024', 'esnext.disposable'], module: 'nodenext', moduleResolution: 'nodenext' },
    ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});
