import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { trimmedBody } from './trimmed-body.ts';

const document = parse('query a($x: Int) { a } mutation b($y: Int, $x: Int) { b }');

it('keeps of a body what its document can use', () => {
  const body = {
    query: 'the text',
    operationName: 'a',
    variables: { x: 1, y: null, junk: [[]], constructor: 2 },
    extensions: { persistedQuery: { version: 1 }, junk: {} },
    junk: [],
  };
  expect(trimmedBody(body, document)).toEqual({
    query: 'the text',
    operationName: 'a',
    variables: { x: 1, y: null },
    extensions: { persistedQuery: { version: 1 } },
  });
});

it('adds nothing', () => {
  expect(Object.keys(trimmedBody({ query: 'the text', junk: 1 }, document) as object)).toEqual(['query']);
});

it('leaves what will be refused as it is', () => {
  for (const body of [undefined, [], 'text', null]) expect(trimmedBody(body, document)).toEqual(body);
  expect(trimmedBody({ query: 1, variables: [], extensions: 'x' }, document)).toMatchObject({
    query: 1,
    variables: [],
    extensions: 'x',
  });
});
