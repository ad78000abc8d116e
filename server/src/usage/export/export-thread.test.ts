import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Prints the packages that the contents of an export load. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const name = /.*node_modules\\/((@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name) packages.add(name);
      return next(url, context);
    },
  });
  await import(${JSON.stringify(new URL('./write-export.ts', import.meta.url).href)});
  console.log(JSON.stringify([...packages]));`;

it('loads no more than it needs: each export is a thread with a heap of its own', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], { encoding: 'utf8' });
  const packages: string[] = JSON.parse(printed);
  expect(packages).toContain('pg');
  expect(packages.filter((name) => /graphql|mikro-orm|undici|zod/.test(name))).toEqual([]);
});
