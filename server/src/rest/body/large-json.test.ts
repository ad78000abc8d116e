import { describe, expect, it, vi } from 'vitest';
import { atOnce } from '../../platform/turns/slices.ts';
import { beginningOfText, filled, largeJson, outlineOf } from './large-json.ts';

const LONG = 600_000;

function read(text: string | Buffer): unknown {
  return atOnce(largeJson(Buffer.from(text)));
}

it.each<[string, unknown]>([
  ['short values', { a: [1, null, true, 'text', { b: '"\\' }], ['"']: '' }],
  ['a long text alone', 'x'.repeat(LONG)],
  ['long texts in lists and objects', { a: ['x'.repeat(LONG), { b: 'y'.repeat(LONG) }], c: 'z', d: 'x'.repeat(LONG) }],
  ['letters of several bytes', `a${'é日😀'.repeat(LONG / 3)}`],
  ['escapes at every place', [0, 1, 2, 3, 4, 5, 6].map((n) => `${'x'.repeat(n)}${'\\"\n\u0001\\\\'.repeat(90_000)}`)],
  ['a long text behind which many blanks stand', ['x'.repeat(LONG)]],
  ['a name that is long, or is everywhere', { ['n'.repeat(LONG)]: 'v'.repeat(LONG), ['__proto__x']: 1 }],
])('reads %s as JSON.parse does', (_what, value) => {
  expect(read(JSON.stringify(value))).toEqual(value);
  expect(read(JSON.stringify(value, null, ' \t'))).toEqual(value);
  expect(read(JSON.stringify(value).replaceAll('"]', `"${' '.repeat(5000)}]`))).toEqual(value);
});

it('reads a value with megabytes of blanks, or of numbers, in every place but texts', () => {
  const value = { a: [1.5, -2, 'x   y'], b: { c: 'z  '.repeat(LONG) }, d: true };
  for (const blank of [' ', '\r\n', '\t ']) {
    const blanks = blank.repeat(100_000);
    expect(read(JSON.stringify(value).replaceAll(/[[\]{},:]/g, `${blanks}$&${blanks}`))).toEqual(value);
  }
  const numbers = Array.from({ length: 100_000 }, (_, n) => n / 7);
  expect(read(JSON.stringify({ a: '', numbers, b: '' }, null, 2))).toEqual({ a: '', numbers, b: '' });
});

it('makes no text of megabytes of blanks', () => {
  const bytes = Buffer.from(`{"a":1}${' '.repeat(8_000_000)}`);
  const parsing = vi.spyOn(JSON, 'parse');
  atOnce(outlineOf(bytes));
  expect(parsing.mock.calls.map(([text]) => text.length < 1000 && text.trim())).toEqual(['{"a":1}']);
  parsing.mockRestore();
});

it('reads escapes and members that JSON.stringify does not write', () => {
  const surrogates = '\\ud83d\\ude00'.repeat(LONG / 6);
  for (const json of [
    `{"__proto__":"${'p'.repeat(LONG)}","a" \n: "${surrogates}","a":"${'\\u0041\\/'.repeat(LONG / 6)}"}`,
    `["${'\ud83d'}${'x'.repeat(LONG)}"]`,
  ]) {
    expect(JSON.stringify(read(json)) === JSON.stringify(JSON.parse(Buffer.from(json).toString()))).toBe(true);
  }
});

it('takes bytes that are no UTF-8 as Buffer does', () => {
  const bytes = Buffer.concat([
    Buffer.from('["'),
    Buffer.alloc(LONG, 0x80),
    Buffer.alloc(LONG, 'é'),
    Buffer.from('"]'),
  ]);
  expect(JSON.stringify(read(bytes)) === JSON.stringify(JSON.parse(bytes.toString()))).toBe(true);
});

it.each([
  ['a text without an end', `{"a":"${'x'.repeat(LONG)}`],
  ['a text that ends in an escape', `{"a":"${'x'.repeat(LONG)}\\`],
  ['an escape that is none', `{"a":"${'x'.repeat(LONG)}\\u12","b":"${'x'.repeat(LONG)}"}`],
  ['a control character', `{"a":"${'x'.repeat(LONG)}\n"}`],
  ['two texts', `"${'x'.repeat(LONG)}""${'x'.repeat(LONG)}"`],
  ['nothing', ' '.repeat(LONG)],
  ['two numbers with nothing but blanks between them', `[1${' '.repeat(LONG)}2]`],
  ['letters between texts', `["a"${' '.repeat(LONG)}é,"b"]`],
  ['a blank that JSON does not have', `["a"${'\u00a0'.repeat(LONG)},"b"]`],
])('refuses %s', (_what, text) => {
  expect(() => read(text)).toThrow(SyntaxError);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
});

it.each(['""', '"":'])('gives up a body of nothing but %s, and yields until then', (text) => {
  let yields = 0;
  const reading = largeJson(Buffer.from(text.repeat(3_000_000)));
  expect(() => {
    while (!reading.next().done) yields++;
  }).toThrow(SyntaxError);
  expect(yields).toBeGreaterThan(100);
  expect(yields).toBeLessThan(1000);
});

it('yields often, whatever the text is made of', () => {
  for (const text of ['x', '\\\\', '\\u0041', '日', '\\"']) {
    let yields = 0;
    const reading = largeJson(Buffer.from(`{"a":"${text.repeat(3_000_000 / text.length)}"}`));
    while (!reading.next().done) yields++;
    expect(yields).toBeGreaterThan(10);
  }
});

describe('of which only the beginnings of long texts are wanted', () => {
  const beginnings = (json: string) => {
    const bytes = Buffer.from(json);
    return atOnce(filled(atOnce(outlineOf(bytes)), bytes, beginningOfText));
  };

  it.each([
    ['letters', 'x'],
    ['escapes', '\\u0041'],
    ['letters of several bytes', '日é😀'],
  ])('keeps more than 64 kB of %s, and no megabytes', (_what, unit) => {
    const whole = JSON.parse(`"${unit.repeat(LONG)}"`) as string;
    const [text] = beginnings(`["${unit.repeat(LONG)}"]`) as string[];
    expect(whole.startsWith(text ?? '-')).toBe(true);
    expect(text?.length).toBeGreaterThan(64 * 1024);
    expect(text?.length).toBeLessThan(128 * 1024);
  });

  it('keeps a text whole that is long in bytes alone', () => {
    expect(beginnings(`["${'\\u0041'.repeat(20_000)}"]`)).toEqual(['A'.repeat(20_000)]);
  });

  it.each(['\\x', '\n', '\\u12'])('looks at all of a text: refuses one that ends in %j', (end) => {
    expect(() => beginnings(`{"a":"${'x'.repeat(LONG)}${end}"}`)).toThrow(SyntaxError);
  });
});
