import {
  defaultFieldResolver,
  type GraphQLField,
  GraphQLID,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import type { Context } from '../accounts/context.ts';
import { AppError } from '../errors.ts';

/** Texts longer than any that a rule of its own allows: those rules say more, this one forgets nothing. */
const LONGEST_TEXT = 10_000;
const LONGEST_LIST = 1000;
/** As the header of REST; an index of the database takes no longer ones. */
const LONGEST_KEY = 255;
/** What the size of the call bounds: the document itself, and what the REST facade says of a body it has read. */
const UNBOUNDED = new Set(['dataBase64', 'unknownFields', 'refusal']);
/** Mutations that answer odd characters in their own way: as a field of the contract, or as a login that fails. */
const ODD_CHARACTERS_ARE_THEIRS = new Set(['submitOcr', 'submitOcrBatch', 'login', 'register']);

interface Rules {
  /** Whether a text must be one that PostgreSQL stores: what is searched for is looked for in vain instead. */
  readonly storable: boolean;
}

/** Refuses texts that are absurd, by length or content, in every argument there is, one that is added later too. */
export function boundedInputs(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const storable = type === schema.getMutationType() && !ODD_CHARACTERS_ARE_THEIRS.has(field.name);
      if (field.args.length > 0) guard(field as GraphQLField<unknown, Context>, { storable }); // what every resolver gets
    }
  }
  return schema;
}

function guard(field: GraphQLField<unknown, Context>, rules: Rules): void {
  const check = (given: Record<string, unknown>) => {
    for (const { name, type } of field.args) requireBounds(name, type, given[name], rules);
  };
  const { resolve = defaultFieldResolver, subscribe } = field;
  if (subscribe) {
    field.subscribe = (source, given, context, info) => {
      check(given);
      return subscribe(source, given, context, info);
    };
    return;
  }
  field.resolve = (source, given, context, info) => {
    check(given);
    return resolve(source, given, context, info);
  };
}

function requireBounds(path: string, given: GraphQLInputType, value: unknown, rules: Rules): void {
  if (value === undefined || value === null || UNBOUNDED.has(path.slice(path.lastIndexOf('.') + 1))) return;
  const type = getNullableType(given);
  if (isListType(type) && Array.isArray(value)) {
    if (value.length > LONGEST_LIST) throw refusal(path, `has more than ${LONGEST_LIST} items`);
    for (const [i, item] of value.entries()) requireBounds(`${path}[${i}]`, type.ofType, item, rules);
  } else if (isInputObjectType(type)) {
    for (const [name, field] of Object.entries(type.getFields())) {
      requireBounds(`${path}.${name}`, field.type, (value as Record<string, unknown>)[name], rules); // an input object
    }
  } else if (type === GraphQLString || type === GraphQLID) {
    requireText(path, String(value), rules);
  }
}

function requireText(path: string, text: string, { storable }: Rules): void {
  const most = path === 'idempotencyKey' ? LONGEST_KEY : LONGEST_TEXT;
  if (text.length > most) throw refusal(path, `is longer than ${most} characters`);
  if (storable && (text.includes('\0') || !text.isWellFormed())) {
    throw refusal(path, 'contains a NUL or an incomplete character');
  }
}

function refusal(path: string, words: string): AppError {
  return new AppError('invalid_request', `${path}: ${words}.`);
}
