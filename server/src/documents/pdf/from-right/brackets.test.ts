import { expect, it } from 'vitest';
import { turnBrackets } from './brackets.ts';

it.each([
  [')אבג(', '(אבג)'],
  ['אב )ג ]12[( «', 'אב )ג ]12[( «'],
  [')א( ב )ג ]ד[(', '(א) ב (ג [ד])'],
  ['(א) ב (ג)', '(א) ב (ג)'],
  ['אבג (', 'אבג ('],
  [')abc(', ')abc('],
  [')אב abc )ג', '(אב abc )ג'],
  ['(א (ב (ג', '(א (ב (ג'],
  ['»אב«\n)abc( 1\n[ג]', '«אב»\n)abc( 1\n[ג]'],
  ['', ''],
])('makes %j %j', (text, expected) => {
  expect(turnBrackets(text)).toBe(expected);
});
