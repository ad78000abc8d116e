import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = resolve(import.meta.dirname, '../../server/scripts/build-if-changed.mjs');
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
  mkdirSync(join(root, 'server/scripts'), { recursive: true });
  cpSync(SCRIPT, join(root, 'server/scripts/build-if-changed.mjs'));
  write('bin/turbo', TURBO);
  chmodSync(join(root, 'bin/turbo'), 0o755);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
}

function build(...more: string[]) {
  return spawnSync(process.execPath, ['server/scripts/build-if-changed.mjs', 'service', ...more], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: [join(root, 'bin'), process.env['PATH']].join(delimiter) },
  });
}

function calls(): string[] {
  return readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');
}

it('builds once, and not again while nothing changes', () => {
  expect(build().status).toBe(0);
  expect(build()).toMatchObject({ status: 0, stdout: '' });
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
  build();
  change();
  expect(build().status).toBe(0);
  expect(calls()).toHaveLength(2);
});

it('does not mind what it does not need', () => {
  build();
  appendFileSync(join(root, 'other/src/index.ts'), '// more');
  build();
  expect(calls()).toHaveLength(1);
});

it('fails with the build, and tries again the next time', () => {
  write('broken', '');
  expect(build().status).toBe(2);
  rmSync(join(root, 'broken'));
  expect(build().status).toBe(0);
  expect(calls()).toHaveLength(2);
});

it('leaves standard output to the command that follows, and tells of a failure on standard error', () => {
  expect(build('--quiet')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  write('broken', '');
  appendFileSync(join(root, 'service/src/index.ts'), '// more');
  expect(build('--quiet')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('a type error') });
});
