import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { firstInvalidPath } from './invalid-path.ts';

const SCHEMA = buildSchema(`
  input Hints { dpi: Int }
  input Page { hints: [Hints!] }
  input Order { engine: String!, page: Page }
  type Query { result(request: Order!, limit: Int): Int }
`);
const DOCUMENT = parse('query Q($request: Order!, $limit: Int) { result(request: $request, limit: $limit) }');
const path = (values: object) => firstInvalidPath(SCHEMA, DOCUMENT, { ...values });

it('finds the first value of a body that its type does not take', () => {
  expect(path({ request: { engine: 'a', page: { hints: [{ dpi: 1 }, { dpi: 'x' }] } } })).toEqual([
    'page',
    'hints',
    1,
    'dpi',
  ]);
});

it('finds the variable itself where it is not of the body', () => {
  expect(path({ request: { engine: 'a' }, limit: 1.5 })).toEqual(['limit']);
});

it('is empty where all values fit, and where the body as a whole does not', () => {
  expect(path({ request: { engine: 'a' } })).toEqual([]);
  expect(path({ request: 5 })).toEqual([]);
});
