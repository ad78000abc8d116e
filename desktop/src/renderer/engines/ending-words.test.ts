import { expect, it } from 'vitest';
import { endingWords } from './ending-words.ts';

it('says how runs ended, and what the provider answered', () => {
  expect(endingWords('failed', 'credentials_refused')).toBe('Failed: credentials refused');
  expect(endingWords('timeout', null)).toBe('Did not answer in time');
});
