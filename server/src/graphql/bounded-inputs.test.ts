import { buildSchema, type ExecutionResult, graphql, parse, subscribe } from 'graphql';
import { expect, it } from 'vitest';
import { boundedInputs } from './bounded-inputs.ts';

const schema = boundedInputs(
  buildSchema(`
    input Node { name: String, tags: [String!], children: [Node!], size: Int, dataBase64: String }
    type Query { find(text: String, tree: Node, ids: [ID!], numbers: [Int!]): Boolean }
    type Mutation { save(tree: Node, idempotencyKey: String): Boolean, submitOcr(tree: Node): Boolean }
  `),
);
const rootValue = { find: () => true, save: () => true, submitOcr: () => true };

async function ask(source: string, variableValues: Record<string, unknown> = {}) {
  const { data, errors } = await graphql({ schema, source, rootValue, variableValues });
  return errors?.[0]?.message ?? Object.values(data ?? {})[0];
}

it('lets through what is within the bounds, whatever its shape', async () => {
  const tree = {
    name: 'a',
    tags: ['b'],
    size: 3,
    children: [{ name: 'x'.repeat(10_000), children: [{}] }, { name: null }],
  };
  expect(await ask('query ($t: Node) { find(tree: $t, text: null, numbers: [1, 2]) }', { t: tree })).toBe(true);
});

it('names the text that is too long, wherever it stands', async () => {
  const long = 'x'.repeat(10_001);
  expect(await ask('query ($t: String) { find(text: $t) }', { t: long })).toBe(
    'text: is longer than 10000 characters.',
  );
  const tree = { children: [{}, { tags: ['a', long] }] };
  expect(await ask('query ($t: Node) { find(tree: $t) }', { t: tree })).toBe(
    'tree.children[1].tags[1]: is longer than 10000 characters.',
  );
  expect(await ask('mutation ($k: String) { save(idempotencyKey: $k) }', { k: 'k'.repeat(256) })).toBe(
    'idempotencyKey: is longer than 255 characters.',
  );
});

it('bounds lists, those of numbers too', async () => {
  const numbers = Array.from({ length: 1001 }, (_, i) => i);
  expect(await ask('query ($n: [Int!]) { find(numbers: $n) }', { n: numbers })).toBe(
    'numbers: has more than 1000 items.',
  );
});

it('leaves the document to the size of the call', async () => {
  const tree = { dataBase64: 'x'.repeat(20_000) };
  expect(await ask('mutation ($t: Node) { save(tree: $t) }', { t: tree })).toBe(true);
});

it('refuses to store what PostgreSQL cannot, but for the mutations that say so themselves', async () => {
  const tree = { children: [{ name: 'a\0b' }] };
  expect(await ask('mutation ($t: Node) { save(tree: $t) }', { t: tree })).toBe(
    'tree.children[0].name: contains a NUL or an incomplete character.',
  );
  expect(await ask('mutation ($t: Node) { submitOcr(tree: $t) }', { t: tree })).toBe(true);
  expect(await ask('query ($t: Node) { find(tree: $t) }', { t: tree })).toBe(true);
});

it('replaces what PostgreSQL cannot store in what is asked for, and hands on the rest as it came', async () => {
  const seen: unknown[] = [];
  const source = `query ($t: Node, $text: String, $ids: [ID!]) {
    find(tree: $t, text: $text, ids: $ids, numbers: [1])
  }`;
  const look = (variableValues: Record<string, unknown>) => {
    const note = { find: (given: object) => seen.push(given) > 0 };
    return graphql({ schema, source, rootValue: note, variableValues });
  };
  const tree = { name: 'a\0b', tags: ['half \ud83d', 'whole \u{1f600}'], children: [{ name: '\0' }, {}], size: 1 };
  await look({ t: tree, text: '\udc00', ids: ['a', '\0\0'] });
  await look({ t: { name: 'é' }, text: null });
  expect(seen).toEqual([
    {
      tree: {
        name: 'a\ufffdb',
        tags: ['half \ufffd', 'whole \u{1f600}'],
        children: [{ name: '\ufffd' }, {}],
        size: 1,
      },
      text: '\ufffd',
      ids: ['a', '\ufffd\ufffd'],
      numbers: [1],
    },
    { tree: { name: 'é' }, text: null, numbers: [1] },
  ]);
});

it('replaces it for subscriptions, when they begin and at each event', async () => {
  const seen: unknown[] = [];
  const own = buildSchema('type Query { x: Int } type Subscription { watch(ids: [ID!]): Boolean }');
  const { watch } = own.getSubscriptionType()?.getFields() ?? {};
  if (!watch) throw new Error('it stands above');
  watch.subscribe = async function* (_source, given) {
    seen.push(given);
    yield 'an event';
  };
  watch.resolve = (_event, given) => seen.push(given) > 0;
  boundedInputs(own);
  const document = parse('subscription ($ids: [ID!]) { watch(ids: $ids) }');
  const opened = await subscribe({ schema: own, document, variableValues: { ids: ['\0', 'b'] } });
  const { value } = await (opened as AsyncGenerator<ExecutionResult>).next();
  expect(value).toEqual({ data: { watch: true } });
  expect(seen).toEqual([{ ids: ['\ufffd', 'b'] }, { ids: ['\ufffd', 'b'] }]);
});
