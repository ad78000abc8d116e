import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { schemaText } from '../../src/graphql/emit-schema.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

it('has schema.graphql as the classes print it (npm run generate)', () => {
  expect(readFileSync(join(ROOT, 'schema.graphql'), 'utf8')).toBe(schemaText());
});

it('has openapi/types.d.ts as the contract gives it (npm run generate)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-router-types-'));
  try {
    const target = join(folder, 'types.d.ts');
    const program = join(ROOT, 'openapi/node_modules/openapi-typescript/bin/cli.js');
    execFileSync(process.execPath, [program, 'dist/openapi.json', '-o', target], {
      cwd: join(ROOT, 'openapi'),
      stdio: 'pipe',
    });
    expect(readFileSync(join(ROOT, 'openapi/types.d.ts'), 'utf8')).toBe(readFileSync(target, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
