import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPTS = resolve(import.meta.dirname, '../../scripts');
/** What runs after the build: says how it was called. */
const ENTRY = `console.log(JSON.stringify(process.argv.slice(1)));
`;
/** Writes down how it was called and makes what a build makes, or fails where a file says so. */
const TURBO = `#!/bin/sh
echo "$*" >> calls
echo "turbo says hello"
if [ -f broken ]; then echo "a type error"; exit 2; fi
mkdir -p service/dist && touch service/dist/main.js
`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ocr-router-build-'));
  const packages = {
    service: { name: '@ocr-router/service', dependencies: { '@ocr-router/words': '0.1.0', express: '5.0.0' } },
    words: { name: '@ocr-router/words' },
    other: { name: '@ocr-router/other' },
  };
  write('package.json', JSON.stringify({ workspaces: Object.keys(packages) }));
  for (const file of ['package-lock.json', 'tsconfig.json', 'turbo.json']) write(file, '{}');
  for (const [folder, described] of Object.entries(packages)) {
    write(`${folder}/package.json`, JSON.stringify(described));
    write(`${folder}/src/index.ts`, 'export {};');
  }
  cpSync(SCRIPTS, join(root, 'scripts'), { recursive: true });
  write('entry.mjs', ENTRY);
  write('bin/turbo', TURBO);
  chmodSync(join(root, 'bin/turbo'), 0o755);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
}

function run(options: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const call = ['scripts/run.mjs', ...options, 'service', 'entry.mjs', '--port', '1'];
  return spawnSync(process.execPath, call, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: [join(root, 'bin'), process.env['PATH']].join(delimiter), ...env },
  });
}

function calls(): string[] {
  if (!existsSync(join(root, 'calls'))) return [];
  return readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');
}

/** What the entry says where it is called as by itself. */
function entrySays(): string {
  return `${JSON.stringify([join(realpathSync(root), 'entry.mjs'), '--port', '1'])}\n`;
}

it('builds once, and not again while nothing changes', () => {
  expect(run().status).toBe(0);
  expect(run()).toMatchObject({ status: 0, stdout: entrySays() });
  expect(calls()).toEqual([expect.stringContaining('run build --filter=@ocr-router/service')]);
});

it.each([
  ['a source', () => appendFileSync(join(root, 'service/src/index.ts'), '// more')],
  ['a source of a package that it needs', () => appendFileSync(join(root, 'words/src/index.ts'), '// more')],
  ['a new source', () => write('words/src/new.ts', '')],
  ['a source that is gone', () => rmSync(join(root, 'words/src/index.ts'))],
  ['an installed version', () => write('package-lock.json', '{"packages":{}}')],
  ['an output that is gone', () => rmSync(join(root, 'service/dist/main.js'))],
])('builds again for %s', (_what, change) => {
  run();
  change();
  expect(run().status).toBe(0);
  expect(calls()).toHaveLength(2);
});

it('does not mind what it does not need', () => {
  run();
  appendFileSync(join(root, 'other/src/index.ts'), '// more');
  run();
  expect(calls()).toHaveLength(1);
});

it('fails with the build, and tries again the next time', () => {
  write('broken', '');
  expect(run().status).toBe(2);
  rmSync(join(root, 'broken'));
  expect(run().status).toBe(0);
  expect(calls()).toHaveLength(2);
});

it('leaves standard output to the command that follows, and tells of a failure on standard error', () => {
  expect(run(['--quiet'])).toMatchObject({ status: 0, stdout: entrySays(), stderr: '' });
  write('broken', '');
  appendFileSync(join(root, 'service/src/index.ts'), '// more');
  expect(run(['--quiet'])).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('a type error') });
});

it('builds nothing where npm was told to run no scripts beside the one', () => {
  expect(run([], { npm_config_ignore_scripts: 'true' })).toMatchObject({ status: 0, stdout: entrySays() });
  expect(calls()).toEqual([]);
});
