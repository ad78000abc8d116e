import { expect, it } from 'vitest';
import { tierWords } from './tier-words.ts';

it('says what a tier allows each key, and what all logins together', () => {
  expect(['free', 'pro', 'scale', 'unlimited', 'own'].map(tierWords)).toEqual([
    'free: 60 calls a minute per key, 300 by all logins together',
    'pro: 300 calls a minute per key, 300 by all logins together',
    'scale: 1,200 calls a minute per key, 1,200 by all logins together',
    'unlimited: no limit',
    'own: its own limit',
  ]);
});
