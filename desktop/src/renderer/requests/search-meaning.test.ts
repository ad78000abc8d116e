import { expect, it } from 'vitest';
import { searchMeaning } from './search-meaning.ts';

it.each([
  ['Mistral-OCR', { engine: 'mistral-ocr' }],
  [' failed ', { statuses: ['failed'] }],
  ['provider_error', { code: 'provider_error' }],
  ['key_01ARZ3', { key: 'key_01ARZ3' }],
  ['0B5E7A1C-0000-4000-8000-000000000001', { account: '0b5e7a1c-0000-4000-8000-000000000001', key: null }],
  ['ada@example.com', { accountLike: 'ada@example.com' }],
  ['invoice 17', { text: 'invoice 17' }],
  ['HTTP 500', { text: 'HTTP 500' }],
  ['x'.repeat(300), { text: 'x'.repeat(200) }],
])('takes %s for what it is', (text, meaning) => {
  expect(searchMeaning(text, ['tesseract', 'mistral-ocr'])).toEqual(meaning);
});

it('asks nothing of no text', () => {
  expect(searchMeaning('  ', [])).toBeNull();
});
