import type { SeededRandom } from '../house/seeded-random.ts';

/** A field of the body, as a path, and the values that it must not have. */
interface Rule {
  readonly path: readonly string[];
  readonly wrong: readonly unknown[];
}

// Neither a number nor a boolean stands where a string is asked for, nor the other way round, where one could be taken
// for the other: whether "1" is a page count is not settled.
const notText: readonly unknown[] = [{}, [], [[]], { a: { b: 'c' } }, ['x'], [null], { length: 3 }, { toString: 'x' }];
const notObject: readonly unknown[] = ['x', '', 7, -1.5, true, [], [1, 2], '{}', [{}]];
const notFlag: readonly unknown[] = ['perhaps', 2, -1, {}, [], 'TRUE ', 0.5, [true, false]];
const deep = (levels: number): unknown => (levels === 0 ? 'bottom' : [deep(levels - 1)]);
const long = 'A'.repeat(100_000);

const RULES: readonly Rule[] = [
  { path: ['engine'], wrong: [...notText, undefined, deep(50), deep(500)] },
  { path: ['input'], wrong: [...notObject, null, undefined, deep(100)] },
  { path: ['input', 'type'], wrong: [...notText, undefined, 'file', 'URL', 'base64 ', '', 'b\u0000ase64', long] },
  {
    path: ['input', 'data_base64'],
    wrong: [
      ...notText,
      undefined,
      null,
      '',
      '=',
      'A',
      'AAAAA',
      'AAA=A',
      '%%%%',
      'ÄÖÜ=',
      'data:,AAAA',
      '\ud800',
      `${long}!`,
      '-_-_',
    ],
  },
  { path: ['input', 'mime_type'], wrong: notText },
  { path: ['options'], wrong: notObject },
  { path: ['options', 'language_hints'], wrong: [{}, { 0: 'eng' }, [{}], [[]], [['eng']]] },
  { path: ['options', 'detect_tables'], wrong: notFlag },
  { path: ['settings'], wrong: notObject },
  { path: ['settings', 'language'], wrong: notText },
  { path: ['settings', 'dpi'], wrong: [71, 1201, -300, 1e9, 1e300, 300.5, 'high', {}, [], [300, 300], '3e'] },
  {
    path: ['settings', 'page_range'],
    wrong: [...notText, 'x', '-', '1-', '-1', '2-1', '0-0', '1;2', '1-2-3', '1-9e9', '9'.repeat(400), '१'],
  },
  { path: ['settings', 'detect_tables'], wrong: notFlag },
  { path: ['settings', 'preprocess'], wrong: [...notText, 'on', 'Off', '', true] },
  { path: ['native_settings'], wrong: notObject },
  { path: ['mode'], wrong: [...notText, 'Sync', 'later', '', 'async\u0000'] },
  { path: ['webhook_url'], wrong: [...notText, 'https://example.com/', 'not an address'] },
  { path: ['page_count'], wrong: [0, -1, 1.5, 21, 1e9, 1e300, -0.5, 'one', {}, [], [1, 1], '1e'] },
  { path: ['output_format'], wrong: [...notText, 'xml', 'JSON', '', 'text/plain'] },
  { path: ['fallback'], wrong: ['always', 'Similar', {}, [], ['similar', 'off'], 2] },
  { path: ['fallback_engine'], wrong: [...notText, 'no-such-engine', long] },
  { path: ['scanned_handling'], wrong: [...notText, 'ignore', 'Skip', 'fallback'] },
];

/** A body with one field, or two, made wrong. */
export interface MutatedBody {
  readonly body: string;
  /** The last part of the name of each field that is wrong. */
  readonly fields: readonly string[];
}

export function mutateBody(good: object, random: SeededRandom): MutatedBody {
  const body = structuredClone(good) as Record<string, unknown>; // a JSON object
  const rules = random.below(4) === 0 ? [random.pick(RULES), random.pick(RULES)] : [random.pick(RULES)];
  for (const { path, wrong } of rules) place(body, path, wrong[random.below(wrong.length)]);
  return { body: JSON.stringify(body), fields: [...new Set(rules.flatMap(({ path }) => path.slice(-1)))] };
}

function place(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  const inner = body[first];
  const isPlain = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  if (!isPlain && inner !== undefined) return; // the whole was made wrong already
  body[first] = isPlain ? inner : {};
  place(body[first] as Record<string, unknown>, rest, value); // a plain object, by the line above
}

/** The text of a good body, cut off or with bytes changed: what it is now, nobody can say. */
export function damageText(good: object, random: SeededRandom): Buffer {
  const bytes = Buffer.from(JSON.stringify(good));
  if (random.below(3) === 0) return bytes.subarray(0, random.below(bytes.length));
  for (let times = 1 + random.below(4); times > 0; times--) {
    bytes[random.below(bytes.length)] = random.pick([
      0,
      0x22,
      0x5c,
      0x7b,
      0x7d,
      0x5b,
      0x2c,
      0x3a,
      0x80,
      0xff,
      random.below(256),
    ]);
  }
  return bytes;
}
