import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../../server/src');

/**
 * Who stands on whom, lowest first: a file may import from its own layer's folder and from every layer below. The
 * layers of one line do not know each other.
 */
const LAYERS = [
  ['fault.ts', 'setting-error.ts', 'pretty-log.ts', 'log-output.ts'],
  [
    'config.ts',
    'errors.ts',
    'logged-error.ts',
    'ids.ts',
    'gate.ts',
    'version.ts',
    'production.ts',
    'node-version.ts',
    'kept-output.ts',
    'local-url.ts',
    'low-priority.ts',
  ],
  ['log.ts'],
  ['database', 'dispatch'],
  ['secrets'],
  ['documents'],
  ['accounts', 'engines'],
  ['billing', 'webhooks'],
  ['requests'],
  ['monitoring'],
  ['entities.ts'],
  ['graphql'],
  ['rest'],
  ['backup'],
  ['admin'],
  ['probes.ts'],
  ['http.ts', 'metrics.ts', 'stop-signal.ts', 'first-account.ts', 'graphiql.ts', 'packed.ts'],
  ['pages.ts'],
  ['dashboard'],
  ['app.ts'],
  ['serve.ts'],
  ['main.ts', 'api.ts', 'worker.ts'],
];

/** Slices that `rest` must not know: it runs documents. */
const SLICES = ['accounts', 'engines', 'billing', 'webhooks', 'requests', 'monitoring', 'documents'];

/** Engines ask who is allowed (the operator's switch), which is all they know of accounts. */
const SIDEWAYS = new Set(['engines -> accounts']);

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function layerOf(room: string): number {
  return LAYERS.findIndex((layer) => layer.includes(room));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(SOURCE, resolve(SOURCE, dirname(file), path ?? '')),
  );
}

it('gives every file of the server a layer', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => layerOf(roomOf(file)) < 0)).toEqual([]);
});

it('imports downwards only', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => {
        const [from, to] = [roomOf(file), roomOf(target)];
        if (from === to || SIDEWAYS.has(`${from} -> ${to}`)) return false;
        return layerOf(to) >= layerOf(from);
      })
      .map((target) => `${file} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

it('keeps the REST facade free of slices', () => {
  const wrong = files
    .filter((file) => roomOf(file) === 'rest')
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => SLICES.includes(roomOf(target)))
        .map((target) => `${file} -> ${target}`),
    );
  expect(wrong).toEqual([]);
});

it('reads the environment in config.ts only', () => {
  const readers = files.filter((file) => readFileSync(join(SOURCE, file), 'utf8').includes('process.env'));
  expect(readers).toEqual(['config.ts', 'production.ts']); // the latter gives the libraries their default mode
});
