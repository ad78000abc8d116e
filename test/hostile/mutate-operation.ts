import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { SeededRandom } from '../house/seeded-random.ts';

/** An operation with arguments that GraphQL itself takes and that hardly any rule of the service does. */
export interface MutatedOperation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

const nested = (levels: number): unknown => (levels === 0 ? 'bottom' : { in: nested(levels - 1) });

const TEXTS = [
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '%00',
  "';--",
  '\\',
  '\u202e',
  'x'.repeat(300),
  'x'.repeat(9_000),
  'é'.repeat(20_000),
  'tesseract',
  'reader',
  'async',
  'sync',
  'similar',
  'url',
  'base64',
  'https://example.com/a.png',
  'http://127.0.0.1:1/',
  'http://[::ffff:1.2.3.4]/',
  'not@an@address',
  'somebody@example.com',
  '1-3,5',
  '1-99999999999',
  '0',
  '-1',
  '1e999',
  '9223372036854775808',
  '2026-02-30',
  '2026-01-01',
  '0000-00-00',
  '9999-12-31',
  '-271821-04-20',
  'ocr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '00000000-0000-0000-0000-000000000000',
  '__proto__',
  'constructor',
] as const;
const INTEGERS = [0, 1, -1, 2, 99, 100, 101, 365, 366, 720, 2_147_483_647, -2_147_483_648] as const;
const FLOATS = [0, -0, 0.1, -1, 1e-320, 1e15, 1e308, -1e308] as const;
const TIMES = [
  '2026-11-22T00:00:00Z',
  '1970-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '-005000-01-01T00:00:00.000Z',
] as const;
const OBJECTS = [
  {},
  { a: 1 },
  nested(15),
  { 'a\u0000': '\ud800' },
  { __proto__: 1, constructor: 2 },
  nested(60),
] as const;

export function mutateOperation(
  schema: GraphQLSchema,
  kind: 'query' | 'mutation' | 'subscription',
  random: SeededRandom,
): MutatedOperation {
  const root = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const fields = Object.values(root[kind]?.getFields() ?? {});
  const field = random.pick(fields);
  const variables: Record<string, unknown> = {};
  const given = field.args.filter((arg) => isNonNullType(arg.type) || random.below(3) > 0);
  for (const arg of given) variables[arg.name] = presentValueOf(arg.type, random);
  const declared = given.map((arg: GraphQLArgument) => `$${arg.name}: ${String(arg.type)}`).join(' ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(' ');
  const head = declared === '' ? kind : `${kind} (${declared})`;
  const query = `${head} { ${field.name}${passed === '' ? '' : `(${passed})`} ${selectionOf(field.type, 2)} }`;
  return { query, variables };
}

/** Leaves, and objects as far as they need no argument. */
function selectionOf(type: GraphQLOutputType, levels: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named) && !isInterfaceType(named)) return isLeafType(named) ? '' : '{ __typename }';
  const parts = Object.values(named.getFields()).flatMap((field: GraphQLField<unknown, unknown>) => {
    if (field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return levels > 1 ? [`${field.name} ${selectionOf(field.type, levels - 1)}`] : [];
  });
  return `{ __typename ${parts.slice(0, 25).join(' ')} }`;
}

function oddValueOf(type: GraphQLInputType, random: SeededRandom): unknown {
  if (isNonNullType(type)) return oddValueOf(type.ofType, random);
  if (random.below(12) === 0) return null;
  if (isListType(type)) {
    const length = random.pick([0, 1, 2, 3, 21, 1001]);
    return Array.from({ length }, () => presentValueOf(type.ofType, random));
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || random.below(2) > 0);
    return Object.fromEntries(fields.map((field) => [field.name, presentValueOf(field.type, random)]));
  }
  if (isEnumType(type)) return random.pick(type.getValues()).name;
  switch (type.name) {
    case 'Int':
      return random.pick(INTEGERS);
    case 'Float':
      return random.pick(FLOATS);
    case 'Boolean':
      return random.below(2) === 0;
    case 'String':
    case 'ID':
      return random.pick(TEXTS);
    case 'JSONObject':
      return random.pick(OBJECTS);
    default:
      return random.pick(TIMES); // the other scalars are times
  }
}

/** A list's item, or an input's field: null only where that is allowed. */
function presentValueOf(type: GraphQLInputType, random: SeededRandom): unknown {
  for (;;) {
    const value = oddValueOf(type, random);
    if (value !== null || !isNonNullType(type)) return value;
  }
}
