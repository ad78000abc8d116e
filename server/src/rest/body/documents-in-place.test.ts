import { expect, it } from 'vitest';
import { decodeBase64 } from '../../documents/formats/base64.ts';
import { atOnce } from '../../platform/turns/slices.ts';
import { documentsInPlace } from './documents-in-place.ts';
import { beginningOfText, filled, outlineOf } from './large-json.ts';

const BYTES = Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7 + (n >> 8)) & 0xff));

interface Sent {
  readonly input?: { readonly data_base64: string };
  readonly items?: readonly { readonly input: { readonly data_base64: string } }[];
  readonly native_settings?: { readonly data_base64: string };
}

function read(value: Sent | string) {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const outline = atOnce(outlineOf(bytes));
  const documents = atOnce(documentsInPlace(outline, bytes));
  return { documents, value: atOnce(filled(outline, bytes, beginningOfText)) as Sent };
}

it.each([0, 1, 2])(
  'hands a document over once, and not as a text, whose base64 has %i letters of padding',
  (padding) => {
    const bytes = BYTES.subarray(0, 199_998 - padding);
    expect(bytes.toString('base64').match(/=*$/)?.[0]).toHaveLength(padding);
    const { documents, value } = read({ input: { data_base64: bytes.toString('base64') } });
    const word = value.input?.data_base64 ?? '';
    expect(word.length).toBeLessThan(100);
    expect(decodeBase64(word)).toBeNull();
    expect(documents.take(word)?.equals(bytes)).toBe(true);
    expect(documents.take(word)).toBeNull();
  },
);

it('finds the documents of a batch, and nothing elsewhere', () => {
  const data_base64 = BYTES.toString('base64');
  const other = BYTES.subarray(100).toString('base64');
  const sent = {
    items: [{ input: { data_base64 } }, { input: { data_base64: other } }, { input: { data_base64: 'AAAA' } }],
    native_settings: { data_base64 },
  };
  const { documents, value } = read(sent);
  const [first, second, third] = value.items?.map(({ input }) => input.data_base64) ?? [];
  expect(documents.take(first ?? '')?.equals(BYTES)).toBe(true);
  expect(documents.take(second ?? '')?.equals(BYTES.subarray(100))).toBe(true);
  expect(third).toBe('AAAA');
  expect(data_base64.startsWith(value.native_settings?.data_base64 ?? '-')).toBe(true);
  expect(value.native_settings?.data_base64.length).toBeGreaterThan(64 * 1024);
});

it.each([
  ['a letter of no alphabet', (text: string) => `${text.slice(0, 100_000)}*${text.slice(100_001)}`],
  ['the URL-safe alphabet', (text: string) => `${text.slice(0, 100_000)}_-${text.slice(100_002)}`],
  ['padding within', (text: string) => `${text.slice(0, 49_151)}=${text.slice(49_152)}`],
  ['a letter of more than one byte', (text: string) => `${text.slice(0, 60_000)}ā${text.slice(60_001)}`],
  ['a letter of Latin-1', (text: string) => `${text.slice(0, 60_000)}é${text.slice(60_001)}`],
  ['a blank', (text: string) => `${text.slice(0, 60_000)} ${text.slice(60_001)}`],
  ['a length that none has', (text: string) => text.slice(0, -3)],
  ['a data: prefix', (text: string) => `data:image/png;base64,${text}`],
  ['too much padding', (text: string) => `${text.slice(0, -4)}A===`],
])('refuses %s, as what is decoded from a text is', (_what, change) => {
  const broken = change(BYTES.toString('base64'));
  expect(decodeBase64(broken)).toBeNull();
  const { documents, value } = read({ input: { data_base64: broken } });
  const left = value.input?.data_base64 ?? '';
  expect(documents.take(left)).toBeNull();
  expect(decodeBase64(left)).toBeNull();
  expect(left.startsWith('data:')).toBe(broken.startsWith('data:'));
});

it('leaves base64 with line breaks, and what is no call, as they are', () => {
  const lines = BYTES.toString('base64').replace(/.{76}/g, '$&\n');
  expect(read({ input: { data_base64: lines } }).value.input?.data_base64).toBe(lines);
  for (const value of ['[]', 'null', '{"input":[],"items":[null,{"input":null}]}', `["${lines.slice(0, 70)}"]`]) {
    expect(read(value).value).toEqual(JSON.parse(value));
  }
});
