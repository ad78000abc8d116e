import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = '{server,test,desktop,dashboard,ui,cli,demo,embedded-postgres,sdk/typescript}/**/*.ts';
/** In what these are given, a regular expression is an object without fields, which any text has. */
const LENIENT = ['toMatchObject', 'objectContaining'];

it('no expectation is a regular expression that any text meets', () => {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) });
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((file) => lenientIn(file, readFileSync(resolve(ROOT, file), 'utf8')))).toEqual([]);
});

it('finds one, however deep', () => {
  const source = `expect(a).toMatchObject({ b: [{ c: /c/ }] }); expect(a).toMatchObject({ b: matching(/b/) }); expect(a).toMatch(/a/);`;
  expect(lenientIn('a.ts', source)).toEqual(['a.ts: /c/']);
});

/** Regular expressions that are given to a lenient matcher, and to nothing in between. */
function lenientIn(file: string, source: string): string[] {
  if (!LENIENT.some((name) => source.includes(name))) return [];
  const found: string[] = [];
  const calls: string[] = [];
  const visitor = new Visitor({
    CallExpression({ callee }) {
      const method = callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property;
      calls.push(method ? source.slice(method.start, method.end) : '');
    },
    'CallExpression:exit'() {
      calls.pop();
    },
    Literal(literal) {
      if ('regex' in literal && LENIENT.includes(calls.at(-1) ?? '')) found.push(`${file}: ${literal.raw}`);
    },
  });
  visitor.visit(parseSync(file, source).program);
  return found;
}
