import { expect, it } from 'vitest';
import { parsed } from '../input.ts';
import { PROFILE } from './profile-input.ts';

const GOOD = { name: 'Staging', url: 'https://s.example.com', colour: '#00AA00', readOnly: false, production: true };

it('takes a profile as the page sends it', () => {
  expect(parsed(PROFILE, { ...GOOD, token: ' sk-1 ' })).toEqual({ ...GOOD, colour: '#00aa00', token: 'sk-1' });
});

it.each([
  ['no object', null],
  ['a list', []],
  ['a field too many', { ...GOOD, hasToken: true }],
  ['no name', { ...GOOD, name: ' ' }],
  ['a name without end', { ...GOOD, name: 'x'.repeat(61) }],
  ['a colour that is style', { ...GOOD, colour: 'url(x)' }],
  ['a flag that is none', { ...GOOD, readOnly: 'false' }],
  ['a token with a line break', { ...GOOD, token: 'sk\r\nx: y' }],
  ['an address that is none', { ...GOOD, url: 'x' }],
])('refuses %s', (_, input) => {
  expect(() => parsed(PROFILE, input)).toThrow();
});
