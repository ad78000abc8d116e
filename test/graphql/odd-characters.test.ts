import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
/** One without a beginning, and one by each beginning that an id has. */
const ODD = ['', 'ocr_', 'batch_', 'key_', 'wh_', 'whd_', 'att_', 'job_'].map((beginning) => `${beginning}\0 \ud800`);

type Found = { readonly requests: { readonly nodes: readonly { readonly id: string }[] } };

/** Each says that there is no such thing. */
const ITS_ANSWERS = new Set(['not_found', 'invalid_request', 'unknown_engine']);

let house: House;
let owner: HouseAccount;

beforeAll(async () => {
  house = await sharedHouse();
  owner = await house.account({ scopes: ['ocr:write', 'ocr:read', 'usage:read', 'operator'] });
});

/** Values of a type that have the text in one place each; none where it holds no text. */
function filled(type: GraphQLInputType, text: string): unknown[] {
  if (isNonNullType(type)) return filled(type.ofType, text);
  if (isListType(type)) return filled(type.ofType, text).map((item) => [item]);
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const needed = leastOf(type) as object;
    return fields.flatMap(({ name, type: inner }) =>
      filled(inner, text).map((value) => ({ ...needed, [name]: value })),
    );
  }
  return type.name === 'String' || type.name === 'ID' ? [text] : [];
}

/** A value with no more than it has to have. */
function leastOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return leastOf(type.ofType);
  if (isListType(type)) return [];
  if (!isInputObjectType(type)) return type.name === 'String' || type.name === 'ID' ? 'none' : plain(type);
  const needed = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
  return Object.fromEntries(needed.map(({ name, type: inner }) => [name, leastOf(inner)]));
}

function plain(type: GraphQLInputType): unknown {
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]?.name;
  return { Boolean: false, DateTimeISO: '2026-01-01T00:00:00Z' }[named.name] ?? 1;
}

/** Each has the text in one place, and what the field cannot do without. */
function callsOf(args: readonly GraphQLArgument[], text: string): Record<string, unknown>[] {
  const needed = args.filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined);
  const least = Object.fromEntries(needed.map(({ name, type }) => [name, filled(type, text)[0] ?? plain(type)]));
  return args.flatMap(({ name, type }) => filled(type, text).map((value) => ({ ...least, [name]: value })));
}

const asked = queries.filter(({ args }) => args.some(({ type }) => filled(type, '').length > 0));

it('finds queries with texts in their arguments', () => {
  expect(asked.map(({ name }) => name)).toEqual(expect.arrayContaining(['request', 'requests', 'node', 'accounts']));
});

it.each(asked.map((field) => [field.name, field] as const))('%s looks for odd texts in vain', async (_name, field) => {
  const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  const given = ODD.flatMap((text) => callsOf(field.args, text));
  for (const variables of given) {
    const used = field.args.filter(({ name }) => name in variables);
    const declared = used.map(({ name, type }) => `$${name}: ${type}`).join(', ');
    const passed = used.map(({ name }) => `${name}: $${name}`).join(', ');
    const query = `query (${declared}) { ${field.name}(${passed})${selection} }`;
    const { codes } = await ask(owner.caller, query, variables);
    const failed = codes.filter((code) => !ITS_ANSWERS.has(code));
    expect({ variables, failed }).toEqual({ variables, failed: [] });
  }
});

it('finds nothing by them, where the text without them is found', async () => {
  const engine = 'reader';
  const node = 'query ($id: ID!) { node(id: $id) { id } }';
  expect((await ask(owner.caller, node, { id: engine })).data).toEqual({ node: { id: engine } });
  expect((await ask(owner.caller, node, { id: `${engine}\0` })).data).toEqual({ node: null });
  const { body } = await owner.caller.ocr(await pictureBody(engine));
  const requests = 'query ($engine: String) { requests(filter: { engine: $engine }) { nodes { id } } }';
  const nodes = async (name: string) =>
    (await ask<Found>(owner.caller, requests, { engine: name })).data.requests.nodes;
  expect(await nodes(engine)).toEqual([{ id: body.request_id }]);
  expect(await nodes(`${engine}\0`)).toEqual([]);
});
