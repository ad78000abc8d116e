import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { expect, it } from 'vitest';
import { SchemaAnswers, schemaQuestion } from './schema-answers.ts';
import { SchemaTurns } from './schema-turns.ts';

const schema = buildSchema('type Query { one: Int two(of: Int): Int }');
const WHOLE = getIntrospectionQuery();

function asked(text: string) {
  const question = schemaQuestion(text, null, {});
  return { question, document: parse(text), tenths: 1 };
}

function answerOf(answers: SchemaAnswers, text: string) {
  return answers.answer(asked(text), 'a');
}

it('answers a document of the schema alone once for all who ask it', async () => {
  const answers = new SchemaAnswers(schema, new SchemaTurns());
  const [first, second] = await Promise.all([answerOf(answers, WHOLE), answerOf(answers, WHOLE)]);
  expect(JSON.parse(String(first?.json)).data.__schema.queryType).toMatchObject({ name: 'Query' });
  expect(second).toBe(first);
  expect(answers.known({ text: WHOLE, operationName: null })).toBe(first);
  expect(answers.known({ text: `${WHOLE} `, operationName: null })).toBeNull();
  expect(answers.known({ text: WHOLE, operationName: 'Another' })).toBeNull();
});

it('lets nobody wait for the turn of another who asks the same', async () => {
  const turns = new SchemaTurns();
  const answers = new SchemaAnswers(schema, turns);
  const order: string[] = [];
  const flood = Array.from({ length: 5 }, () => turns.run('a', 1, () => order.push('flood')));
  const asks = ['a', 'b'].map(async (party) => {
    expect(await answers.answer(asked(WHOLE), party)).toMatchObject({ json: expect.any(Buffer) });
    order.push(party);
  });
  await Promise.all([...flood, ...asks]);
  expect(order.indexOf('b')).toBeLessThan(order.lastIndexOf('flood'));
  expect(order.at(-1)).toBe('a');
});

it.each([
  ['data beside it', '{ __schema { queryType { name } } one }'],
  ['data by a fragment', '{ __schema { queryType { name } } ...f } fragment f on Query { one }'],
  ['two things of it', '{ a: __type(name: "Query") { name } b: __type(name: "Int") { name } }'],
  ['a change', 'mutation { __schema { queryType { name } } }'],
  ['what is no field of it', '{ __schema { nothing } }'],
  ['a value that is missing', 'query ($name: String!) { __type(name: $name) { name } }'],
  ['several operations', 'query A { __schema { queryType { name } } } query B { one }'],
  ['no word of it', '{ one }'],
])('leaves to others what asks for %s', async (_what, text) => {
  expect(await answerOf(new SchemaAnswers(schema, new SchemaTurns()), text)).toBeNull();
});

it('leaves to others what has values of variables', () => {
  expect(schemaQuestion('query ($name: String!) { __type(name: $name) { name } }', null, { name: 'Query' })).toBeNull();
});

it('keeps answers in bounded space', async () => {
  const long = buildSchema(`"""${'x'.repeat(3 * 1024 * 1024)}""" type Query { one: Int }`);
  const answers = new SchemaAnswers(long, new SchemaTurns());
  const texts = ['a', 'b', 'c'].map((alias) => `{ ${alias}: __type(name: "Query") { description } }`);
  for (const text of texts) expect(await answerOf(answers, text)).not.toBeNull();
  expect(texts.map((text) => answers.known({ text, operationName: null }) !== null)).toEqual([false, true, true]);
});

it('executes one after the other, account by account', async () => {
  const turns = new SchemaTurns();
  const order: string[] = [];
  const take = (party: string) => turns.run(party, 3, () => order.push(party));
  await Promise.all([take('a'), take('a'), take('a'), take('b')]);
  expect(order).toEqual(['a', 'a', 'b', 'a']);
});

it('lets nobody wait for longer than the limit', async () => {
  const turns = new SchemaTurns(50);
  const [, late] = await Promise.allSettled([turns.run('a', 50, () => 1), turns.run('b', 1, () => 1)]);
  expect(late).toMatchObject({ status: 'rejected', reason: { code: 'rate_limited' } });
});
