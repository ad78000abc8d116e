import { expect, it } from 'vitest';
import { documentKind } from './document-kind.ts';

it.each([
  ['{ usage { spent } }', 'query'],
  ['query A { usage { spent } } fragment F on Usage { spent }', 'query'],
  ['mutation { logout }', 'mutation'],
  ['# query\nmutation query { logout }', 'mutation'],
  ['subscription { jobFeed { requestId } }', 'subscription'],
])('%s is a %s', (document, kind) => {
  expect(documentKind(document)).toBe(kind);
});

it('refuses several operations: one of them could be a change', () => {
  expect(() => documentKind('query A { usage { spent } } mutation B { logout }')).toThrow('exactly one');
});

it.each(['', 'fragment F on Usage { spent }', 'mutation {', `{ ${'a '.repeat(5000)}}`])(
  'refuses what is none',
  (text) => {
    expect(() => documentKind(text)).toThrow();
  },
);
