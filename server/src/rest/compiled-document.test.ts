import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ballast, leftBehindMb } from '../../../test/house/young-garbage.ts';
import { AppError } from '../platform/errors.ts';
import { CompiledDocument } from './compiled-document.ts';

const schema = buildSchema(
  'type Query { thing(count: Int!, fails: Boolean): Thing } type Thing { name: String! parts: [Int] }',
);
const { thing } = schema.getQueryType()?.getFields() ?? {};
if (thing) thing.resolve = async (_source, { count, fails }: { count: number; fails?: boolean }) => make(count, fails);
const text =
  'query Q($count: Int!, $fails: Boolean) { result: thing(count: $count, fails: $fails) { title: name parts } }';
const document = parse(text);

function make(count: number, fails = false) {
  if (fails) throw new AppError('not_found', 'There is no such thing.');
  return { name: count < 0 ? null : 'a', parts: Array.from({ length: Math.max(count, 0) }, (_, i) => i) };
}

/** As graphql's own executor has it: the data, and of each error its place and what was thrown. */
async function both(given: GraphQLSchema, variables: Record<string, unknown>, asked = document) {
  const [ours, theirs] = await Promise.all([
    new CompiledDocument(given, asked).run({}, variables),
    execute({ schema: given, document: asked, contextValue: {}, variableValues: variables }),
  ]);
  return [ours, theirs].map(({ data, errors }) => ({
    data: JSON.stringify(data),
    errors: errors?.map(({ path, originalError }) => ({ path, thrown: originalError instanceof AppError })),
  }));
}

it.each([
  ['gives what is selected under its names', { count: 2 }],
  ['tells what a resolver has thrown', { count: 1, fails: true }],
  ['refuses a variable of the wrong type, without a path', { count: 'two' }],
  ['refuses a variable that is not there, without a path', {}],
  ['takes away what holds a missing value', { count: -1 }],
])('%s, as graphql does', async (_what, variables) => {
  const [ours, theirs] = await both(schema, variables);
  expect(ours).toEqual(theirs);
});

it('says when a document does not fit the schema', async () => {
  const odd = new CompiledDocument(schema, parse('subscription { nothing }'));
  await expect(odd.run({}, {})).rejects.toThrow('does not fit');
});

describe('a mutation', () => {
  const mutations = buildSchema('type Query { none: Int } type Mutation { make(count: Int!, fails: Boolean): Int! }');
  const { make: field } = mutations.getMutationType()?.getFields() ?? {};
  if (field) {
    field.resolve = async (
      _source,
      { count, fails }: { count: number; fails?: boolean },
      context: { turn?: Promise<void> },
    ) => {
      if (fails) throw new AppError('not_found', 'There is no such thing.');
      await context.turn;
      return count;
    };
  }
  const change = parse('mutation M($count: Int!, $fails: Boolean) { result: make(count: $count, fails: $fails) }');

  it.each([
    ['gives what it has made', { count: 2 }],
    ['tells what a resolver has thrown', { count: 1, fails: true }],
    ['refuses a variable of the wrong type', { count: 'two' }],
  ])('%s, as graphql does', async (_what, variables) => {
    const [ours, theirs] = await both(mutations, variables, change);
    expect(ours).toEqual(theirs);
  });

  it('leaves nothing behind that outlives a collection in passing', async () => {
    const compiled = new CompiledDocument(mutations, change);
    const left = await leftBehindMb((turn) => compiled.run({ turn, ballast: ballast() }, { count: 1 }));
    expect(left).toBeLessThan(4);
  });
});
