import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');

it('every resolver that there is stands in the schema', () => {
  const listed = readFileSync(join(import.meta.dirname, 'schema.ts'), 'utf8');
  const classes = globSync('**/*.resolver.ts', { cwd: SOURCE }).flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/^export class (\w+Resolver)\b/gm)].map(
      ([, name = '']) => name,
    ),
  );
  expect(classes.length).toBeGreaterThan(20);
  expect(classes.filter((name) => !new RegExp(`^ {2}${name},$`, 'm').test(listed))).toEqual([]);
});
