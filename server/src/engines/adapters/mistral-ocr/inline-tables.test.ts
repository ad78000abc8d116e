import { expect, it } from 'vitest';
import { withTables } from './inline-tables.ts';

const TABLE = { id: 'tbl-0.html', content: '<table><tr><td>1</td></tr></table>', format: 'html' };

it('puts a table where its placeholder stands', () => {
  expect(withTables('before\n\n[tbl-0.html](tbl-0.html)\n\nafter', [TABLE])).toMatch(
    /^before\s+<table><tr><td>1<\/td><\/tr><\/table>\s+after$/,
  );
});

it('puts each table in once, so that an answer cannot grow without end', () => {
  const text = withTables('[tbl-0.html](tbl-0.html) '.repeat(3), [TABLE]);
  expect(text.split('<table>')).toHaveLength(2);
  expect(text).toContain('[tbl-0.html](tbl-0.html)');
});

it.each([
  ['another link', '[here](https://example.com)', [TABLE]],
  ['no tables', '[tbl-0.html](tbl-0.html)', undefined],
  ['tables of another shape', '[tbl-0.html](tbl-0.html)', [{ name: 'x' }]],
])('leaves the text as it is: %s', (_what, markdown, tables) => {
  expect(withTables(markdown, tables)).toBe(markdown);
});

it('takes time in proportion to the text', () => {
  const text = '['.repeat(200_000);
  expect(withTables(text, [TABLE])).toBe(text);
});
