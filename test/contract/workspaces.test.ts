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
  'data-commands.ts',
  'engines.resolver.ts',
  'first-account.ts',
  'seed-demo.ts',
];

it('names the demo where the contract does, and nowhere else in the service', () => {
  const naming = sourcesOf('server').filter((file) => /demo/i.test(readFileSync(file, 'utf8')));
  const files = naming.filter((file) => !file.includes('/migrations/')).map((file) => basename(file));
  expect(files.toSorted()).toEqual(NAMING);
});

it('keeps the command line apart: it knows the client, and the service by its entries', () => {
  const known = sourcesOf('cli').flatMap((file) => importsOf(file).filter((name) => name.startsWith('@ocr-router/')));
  expect([...new Set(known)].toSorted()).toEqual([
    '@ocr-router/client',
    '@ocr-router/server/dist/admin/main.js',
    '@ocr-router/server/dist/api.js',
    '@ocr-router/server/dist/main.js',
    '@ocr-router/server/dist/platform/node-version.js',
    '@ocr-router/server/dist/worker.js',
  ]);
});

it('keeps the client free of the service', () => {
  const known = sourcesOf('sdk/typescript').flatMap((file) => importsOf(file));
  expect(known.filter((name) => name.startsWith('@ocr-router/'))).toEqual(['@ocr-router/openapi/types']);
});
