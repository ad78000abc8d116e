import { buildSchema, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it } from 'vitest';
import { engineAskedFor, refusalIn, refusalOf } from './refused-calls.ts';

const SCHEMA = buildSchema(`
  input Sent { engine: String!, pages: Int }
  type Query { price(engine: String!, pages: Int): Float, time: Float }
  type Mutation { send(request: Sent!): String }
`);

function engineOf(source: string, variables: Record<string, unknown> = {}): string | null {
  const document = parse(source);
  const operation = document.definitions[0] as OperationDefinitionNode; // the only definition
  return engineAskedFor(SCHEMA, operation, variables);
}

const REFUSED = { message: 'It fails.', extensions: { code: 'engine_unavailable' } };

it('takes a call for refused where nothing of it was answered', () => {
  expect(refusalIn({ data: { a: 1 } })).toBeNull();
  expect(refusalIn({ data: { a: 1, b: null }, errors: [REFUSED] })).toBeNull();
  for (const data of [undefined, null, { a: null }]) {
    expect(refusalIn({ data, errors: [REFUSED] })).toMatchObject({ code: 'engine_unavailable', status: 503 });
  }
});

it('counts what GraphQL itself refuses as REST does a body that does not fit', () => {
  const refused = refusalOf({ message: 'No such field.', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
  expect(refused).toMatchObject({ code: 'invalid_request', status: 400, message: 'No such field.' });
});

it('finds the engine that was asked for, however it was written', () => {
  expect(engineOf('{ price(engine: "reader") }')).toBe('reader');
  expect(engineOf('mutation ($sent: Sent!) { send(request: $sent) }', { sent: { engine: 'reader' } })).toBe('reader');
  expect(engineOf('mutation ($e: String!) { time: __typename send(request: { engine: $e }) }', { e: 'reader' })).toBe(
    'reader',
  );
  expect(engineOf('{ time }')).toBeNull();
  expect(engineOf('{ price(pages: 1) }')).toBeNull();
});
