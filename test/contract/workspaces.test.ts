import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

function sourcesOf(workspace: string): string[] {
  const source = join(ROOT, workspace, 'src');
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(source, file));
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name ?? '');
}

function filesImportedBy(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => resolve(dirname(file), name));
}

/** What is on a cycle, or between two: whatever imports nothing that is left is taken away until nothing more goes. */
function inCycles(arrows: readonly (readonly [string, string])[]): string[] {
  let left = [...arrows];
  for (let size = -1; size !== left.length; ) {
    size = left.length;
    const importing = new Set(left.map(([from]) => from));
    left = left.filter(([, to]) => importing.has(to));
  }
  return [...new Set(left.map(([from]) => relative(ROOT, from)))];
}

describe.each(['demo', 'embedded-postgres'])('%s', (workspace) => {
  const files = sourcesOf(workspace);

  it('knows no other workspace', () => {
    expect(files.length).toBeGreaterThan(10);
    const outside = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('@ocr-router/'))
        .concat(filesImportedBy(file).filter((path) => !files.includes(path)))
        .map((name) => `${relative(ROOT, file)} -> ${name}`),
    );
    expect(outside).toEqual([]);
  });

  it('has no file, and no folder, that imports itself by way of others', () => {
    const arrows = files.flatMap((file) => filesImportedBy(file).map((target) => [file, target] as const));
    const between = arrows
      .map(([file, target]) => [dirname(file), dirname(target)] as const)
      .filter(([from, to]) => from !== to && basename(from) !== 'src' && basename(to) !== 'src');
    expect(inCycles(arrows)).toEqual([]);
    expect(inCycles(between)).toEqual([]);
  });
});

it('keeps the demo out of the service: only its command knows it', () => {
  const knowing = sourcesOf('server').filter((file) =>
    importsOf(file).some((name) => name.startsWith('@ocr-router/demo')),
  );
  expect(knowing.map((file) => relative(ROOT, file))).toEqual(['server/src/admin/seed-demo.ts']);
});

/** The service as its callers and operators see it: two fields, the setting of the first start, and the command. */
const NAMING = [
  'account-list.ts',
  'account.ts',
  'admin.ts',
  'config.ts',
  'engines.resolver.ts',
  'first-account.ts',
  'main.ts',
  'seed-demo.ts',
];

it('names the demo where the contract does, and nowhere else in the service', () => {
  const naming = sourcesOf('server').filter((file) => /demo/i.test(readFileSync(file, 'utf8')));
  const files = naming.filter((file) => !file.includes('/migrations/')).map((file) => basename(file));
  expect(files.toSorted()).toEqual(NAMING);
});
