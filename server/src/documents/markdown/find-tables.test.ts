import { describe, expect, it } from 'vitest';
import { findTables, findTablesInTurns } from './find-tables.ts';

const slice = (text: string, [from, to]: readonly [number, number]) => [...text].slice(from, to).join('');

/** Rows of texts, as far as cells begin in them. */
function texts(text: string): string[][][] {
  return findTables(text).map(({ cells, rows }) =>
    Array.from({ length: rows }, (_, i) => cells.filter(({ row }) => row === i + 1).map((cell) => cell.text)),
  );
}

describe('pipe tables', () => {
  const TABLE = '| Item | Price |\n|---|--:|\n| Tea<br>green | **4.00** |\n| A \\| B | 5 |';

  it('have a header, rows, plain cells and their place in code points', () => {
    const text = `# 𝔘𝔫\n\n${TABLE}\n\nThanks`;
    const [table, ...others] = findTables(text);
    expect(others).toEqual([]);
    expect(table).toMatchObject({ rows: 3, columns: 2 });
    expect(table && slice(text, table.span)).toBe(TABLE);
    expect(table?.cells.filter(({ header }) => header).map((cell) => cell.text)).toEqual(['Item', 'Price']);
    expect(texts(text)).toEqual([
      [
        ['Item', 'Price'],
        ['Tea\ngreen', '4.00'],
        ['A | B', '5'],
      ],
    ]);
    expect(table?.cells[3]).toEqual({ row: 2, column: 2, rowSpan: 1, columnSpan: 1, text: '4.00', header: false });
  });

  it('without a title have no header, and rows of their own lengths', () => {
    expect(findTables('| | |\n|-|-|\n|a|b|c|\n|d|')[0]).toMatchObject({ rows: 2, columns: 3 });
    expect(texts('| | |\n|-|-|\n|a|b|c|\n|d|')).toEqual([[['a', 'b', 'c'], ['d']]]);
    expect(findTables('| | |\n|-|-|\n|a|b|')[0]?.cells.some(({ header }) => header)).toBe(false);
  });

  it('are found in quotes, and not in code or without a separator', () => {
    expect(texts(`> |a|b|\n> |-|-|\n> |c|d|`)).toEqual([
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ]);
    expect(findTables(`\`\`\`\n${TABLE}\n\`\`\``)).toEqual([]);
    expect(findTables('a | b\nc | d')).toEqual([]);
  });
});

describe('tables of HTML', () => {
  it('have headers, spans and text without markup', () => {
    const html = `<table class="x"><thead><tr><td>Item</td><th colspan=2>Price &amp; <b>tax</b></th></tr></thead>
      <tbody><tr><td rowspan="2">Tea<br/>green</td><td>4</td><td>1</td></tr><tr><td>5<td>2</tr></tbody></table>`;
    const text = `Before ${html} after`;
    const [table] = findTables(text);
    expect(table && slice(text, table.span)).toBe(html);
    expect(table).toMatchObject({ rows: 3, columns: 3 });
    expect(table?.cells).toEqual([
      { row: 1, column: 1, rowSpan: 1, columnSpan: 1, text: 'Item', header: true },
      { row: 1, column: 2, rowSpan: 1, columnSpan: 2, text: 'Price & tax', header: true },
      { row: 2, column: 1, rowSpan: 2, columnSpan: 1, text: 'Tea\ngreen', header: false },
      { row: 2, column: 2, rowSpan: 1, columnSpan: 1, text: '4', header: false },
      { row: 2, column: 3, rowSpan: 1, columnSpan: 1, text: '1', header: false },
      { row: 3, column: 2, rowSpan: 1, columnSpan: 1, text: '5', header: false },
      { row: 3, column: 3, rowSpan: 1, columnSpan: 1, text: '2', header: false },
    ]);
  });

  it('stand beside pipe tables in the order of the text, two on a line, and one in a cell is its text', () => {
    const inner = '<table><tr><td>in</td><td>side</td></tr></table>';
    const text = `${inner} ${inner}\n\n|a|\n|-|\n|b|\n\n<table><tr><td>out ${inner}</td></tr></table>`;
    expect(texts(text)).toEqual([[['in', 'side']], [['in', 'side']], [['a'], ['b']], [['out\nin side']]]);
  });

  it.each([
    ['never ends', '<table><tr><td>a</td></tr>'],
    ['has no cell', '<table></table>'],
    ['is a word', '<tablecloth> | x'],
    ['stands in code', '```html\n<table><tr><td>a</td></tr></table>\n```'],
  ])('what %s is none', (_, text) => expect(findTables(text)).toEqual([]));

  it('a span beyond the table ends with it, and one of thousands of columns is no table', () => {
    expect(findTables('<table><tr><td rowspan=9 colspan=1>a</table>')[0]?.cells[0]).toMatchObject({ rowSpan: 1 });
    const wide = `<table><tr>${'<td colspan=1000>a'.repeat(9)}</table>`;
    expect(findTables(wide)).toEqual([]);
  });
});

it.each([
  ['<table', '<table '.repeat(100_000)],
  ['</table', `<table>${'</table '.repeat(100_000)}`],
  ['tables in tables', `${'<table><tr><td>'.repeat(50_000)}${'</table>'.repeat(50_000)}`],
  ['tags without an end', `<table><tr><td>${'<b '.repeat(200_000)}</td></tr></table>`],
  ['marks of HTML', `<table><tr><td>${'<'.repeat(500_000)}</td></tr></table>`],
  ['comments', `<table>${'<!-- '.repeat(100_000)}</table>`],
  ['cells of a thousand columns', `<table>${'<tr><td colspan=1000 rowspan=0>'.repeat(10_000)}</table>`],
  ['quotes', `${'> '.repeat(100_000)}|a|\n|-|`],
])('a text of %s takes no longer than others', (_, text) => {
  const before = process.cpuUsage();
  findTables(text);
  const { user } = process.cpuUsage(before);
  expect(user / 1e6).toBeLessThan(20); // a quadratic one takes minutes
});

it.each([
  ['lines with pipes', '|\n'.repeat(100_000)],
  ['a long table', `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(30_000)}`],
  ['tags', '<table><tr><td>a</table>\n'.repeat(5000)],
])('lets others have their turn in a text of %s, again and again', (_, text) => {
  const work = findTablesInTurns(text);
  let turns = 0;
  for (let step = work.next(); !step.done; step = work.next()) turns += 1;
  expect(turns).toBeGreaterThan(30);
});
