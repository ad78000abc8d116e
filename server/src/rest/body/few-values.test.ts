import { expect, it } from 'vitest';
import { atOnce } from '../../platform/turns/slices.ts';
import { requireFewValues } from './few-values.ts';

const REFUSED = expect.objectContaining({ code: 'invalid_request' });

it.each([
  ['empty lists', `{"a":[${Array(200_000).fill('[]').join(',')}]}`],
  ['numbers', `[${Array(200_000).fill('1').join(',')}]`],
  ['lists in lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['objects in objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
])('refuses a body of %s that would take many times its bytes', (_what, text) => {
  expect(() => atOnce(requireFewValues(Buffer.from(text)))).toThrow(REFUSED);
});

it('takes a document of any size, and a batch of many', () => {
  const document = { engine: 'reader', input: { data_base64: 'A'.repeat(10_000_000) } };
  atOnce(requireFewValues(Buffer.from(JSON.stringify(document))));
  const item = { engine: 'reader', input: { type: 'url', url: 'https://example.com/a.png' }, languages: ['en', 'de'] };
  atOnce(requireFewValues(Buffer.from(JSON.stringify({ items: Array(1000).fill(item) }))));
});
