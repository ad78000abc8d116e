import { expect, it } from 'vitest';
import { sentences } from './sentences.ts';

it.each([
  ['leaves sentences as they are', ['One.', 'Two!', 'Three…'], 'One. Two! Three…'],
  [
    'ends what has no end',
    ['HTTP 500: overloaded', 'Nothing was charged.'],
    'HTTP 500: overloaded. Nothing was charged.',
  ],
  [
    'looks behind a closing quotation mark',
    ['It said: “No.”', 'It said: “no”', 'End.'],
    'It said: “No.” It said: “no”. End.',
  ],
  ['ends the last one, too', ['HTTP 500: overloaded'], 'HTTP 500: overloaded.'],
  ['leaves out what is empty', ['', '  ', 'End.'], 'End.'],
])('%s', (_name, parts, text) => {
  expect(sentences(parts)).toBe(text);
});
