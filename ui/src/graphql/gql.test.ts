import { createRequest } from 'urql';
import { expect, it } from 'vitest';
import { gql } from './gql.ts';

it('gives urql the document that was written, with its fragments, each time the same', () => {
  const part = gql`fragment Part on Account { email }`;
  const document = gql`query Whose { account { ...Part } } ${part}`;
  const { query, key } = createRequest(document, {});
  expect(query.definitions.map(({ kind }) => kind)).toEqual(['OperationDefinition', 'FragmentDefinition']);
  expect(createRequest(document, {})).toMatchObject({ key, query });
  expect(
    createRequest('query Whose { account { ...Part } } fragment Part on Account { email }', {}).query.definitions,
  ).toHaveLength(2);
});

it('parses a document only once it is used', () => {
  const broken = gql`query { `;
  expect(() => broken.definitions).toThrow('Syntax Error');
});
