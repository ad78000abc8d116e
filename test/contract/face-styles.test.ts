import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const MANTINE = join(ROOT, 'node_modules/@mantine');
const STYLES = join(MANTINE, 'core/styles');
/** What the faces, and the parts of Mantine that they use, take of its components. */
const USERS = [
  'dashboard/src',
  'desktop/src',
  'ui/src',
  'node_modules/@mantine/notifications/esm',
  'node_modules/@mantine/spotlight/esm',
];
/** What all components stand on. */
const BASE = ['baseline', 'default-css-variables', 'global'];

it('imports the styles of the components that are used, in Mantine’s order, and no others', () => {
  const all = readFileSync(join(MANTINE, 'core/styles.css'), 'utf8');
  const placeOf = (name: string) =>
    all.indexOf(
      readFileSync(join(STYLES, `${name}.css`), 'utf8')
        .trim()
        .slice(0, 60),
    );
  const used = [...BASE, ...stylesOf(namesUsed())].filter((name) => existsSync(join(STYLES, `${name}.css`)));
  const inOrder = used.toSorted((a, b) => placeOf(a) - placeOf(b));
  const imported = readFileSync(join(ROOT, 'ui/src/theme/mantine.css'), 'utf8').matchAll(
    /core\/styles\/([\w-]+)\.css/g,
  );
  expect([...imported].map(([, name]) => name)).toEqual(inOrder);
});

function filesIn(folder: string): string[] {
  const all = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return all.filter((name) => /\.(tsx?|mjs)$/.test(name)).map((name) => join(ROOT, folder, name));
}

function namesUsed(): Set<string> {
  const lists = USERS.flatMap(filesIn).flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/import\s*\{([^}]*)\}\s*from\s*["']@mantine\/core["']/g),
  ]);
  const names = lists.flatMap(([, list = '']) => list.split(',').map((name) => name.trim().split(' as ')[0] ?? ''));
  return new Set(names.filter((name) => name !== '' && !name.startsWith('type ')));
}

/** The names of the style sheets of components and of all that they are made of. */
function stylesOf(names: ReadonlySet<string>): Set<string> {
  const start = join(MANTINE, 'core/esm/index.mjs');
  const from = new Map<string, string>();
  for (const [, list = '', path = ''] of readFileSync(start, 'utf8').matchAll(
    /import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)"/g,
  )) {
    for (const name of list.split(',')) from.set(name.trim().split(' as ').at(-1) ?? '', resolve(dirname(start), path));
  }
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from\s*"(\.[^"]+)"/g))
      visit(resolve(dirname(file), path));
  };
  for (const name of names) {
    const file = from.get(name);
    if (file !== undefined) visit(file);
  }
  return new Set([...seen].flatMap((file) => /([^/]+)\.module\.mjs$/.exec(file)?.[1] ?? []));
}
