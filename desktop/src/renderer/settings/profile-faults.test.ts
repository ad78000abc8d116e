import { expect, it } from 'vitest';
import { profileFaults } from './profile-faults.ts';

const GOOD = {
  name: 'Home',
  url: 'http://127.0.0.1:8080',
  colour: '#3a5fb6',
  readOnly: false,
  production: false,
  token: 'sk-ocr-1',
};

it('finds nothing wrong with a good profile', () => {
  expect(profileFaults(GOOD, false)).toEqual({});
  expect(profileFaults({ ...GOOD, url: 'https://ocr.example.com' }, false)).toEqual({});
  expect(profileFaults({ ...GOOD, token: '' }, true)).toEqual({});
});

it('names each fault beside its field', () => {
  expect(Object.keys(profileFaults({ ...GOOD, name: ' ', url: 'ocr', colour: 'blue', token: ' ' }, false))).toEqual([
    'name',
    'url',
    'colour',
    'token',
  ]);
  expect(profileFaults({ ...GOOD, url: 'ftp://127.0.0.1' }, false)).toHaveProperty('url');
});
