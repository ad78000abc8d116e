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
import type { Context } from '../accounts/callers/context.ts';
import { isStorable } from '../database/storable.ts';
import { AppError } from '../platform/errors.ts';
import { replaceOddCharacters } from './replace-odd-characters.ts';

/** Most characters of a text: more than any rule of a field allows. Those rules say more; this one covers every field. */
const LONGEST_TEXT = 10_000;
const LONGEST_LIST = 1000;
/** Most characters of an idempotency key, as in the header of REST: an index of the database takes no longer ones. */
const LONGEST_KEY = 255;
/** Arguments that the size of the call bounds: the document itself, and what the REST facade says of a body that it has read. */
const UNBOUNDED = new Set(['dataBase64', 'unknownFields', 'refusal']);
/** Fields that answer odd characters themselves: by the contract's field, or as a login that fails. */
const ODD_CHARACTERS_ARE_THEIRS = new Set(['submitOcr', 'submitOcrBatch', 'estimateOcr', 'login', 'register']);
/** Mutations that take nothing but an id, and answer `not_found` as a query does. */
const LOOK_IN_VAIN = new Set(['cancelRequest', 'deleteRequest', 'deleteRequestData']);

/**
 * What becomes of texts that PostgreSQL cannot store. A mutation is refused; in a query they are replaced, and so match no id and
 * no stored text.
 */
type OddCharacters = 'refused' | 'replaced' | 'passed';

/**
 * Refuses texts that are too long, or that PostgreSQL cannot store, in every argument of the schema, also in those that are added
 * later. No resolver of a query sees a text that PostgreSQL cannot store, except those that refuse it themselves.
 */
export function boundedInputs(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const odd = oddCharactersOf(field.name, type === schema.getMutationType());
      // Narrows the field's context to the one that every resolver gets.
      if (field.args.length > 0) guard(field as GraphQLField<unknown, Context>, odd);
    }
  }
  return schema;
}

function oddCharactersOf(field: string, isChange: boolean): OddCharacters {
  if (ODD_CHARACTERS_ARE_THEIRS.has(field)) return 'passed';
  return isChange && !LOOK_IN_VAIN.has(field) ? 'refused' : 'replaced';
}

function guard(field: GraphQLField<unknown, Context>, odd: OddCharacters): void {
  const checks = checksOf(field.args, { storable: odd === 'refused' });
  const storable = odd === 'replaced' ? replaceOddCharacters : (given: Record<string, unknown>) => given;
  const check = (given: Record<string, unknown>) => {
    const fault = faultIn(checks, given);
    if (fault) throw new AppError('invalid_request', `${fault.path}: ${fault.words}.`);
    return storable(given);
  };
  const { resolve = defaultFieldResolver, subscribe } = field;
  if (subscribe) {
    field.subscribe = (source, given, context, info) => subscribe(source, check(given), context, info);
    field.resolve = (event, given, context, info) => resolve(event, storable(given), context, info);
    return;
  }
  field.resolve = (source, given, context, info) => resolve(source, check(given), context, info);
}

interface Rules {
  /** Whether a text must be one that PostgreSQL stores. */
  readonly storable: boolean;
}

interface Fault {
  readonly path: string;
  readonly words: string;
}

type Check = (value: unknown) => Fault | null;

/** Checks by name of the argument; arguments without texts have none. */
type Checks = readonly (readonly [name: string, check: Check])[];

function checksOf(
  inputs: readonly { readonly name: string; readonly type: GraphQLInputType }[],
  rules: Rules,
  known = new Map<GraphQLInputType, Checks>(),
): Checks {
  return inputs.flatMap(({ name, type }) => {
    const check = UNBOUNDED.has(name) ? null : checkOf(type, name, { rules, known });
    return check ? [[name, check] as const] : [];
  });
}

/**
 * Makes the check of one argument, once for the schema, so that a call does only what its values need. Null for a type without
 * texts.
 */
function checkOf(
  given: GraphQLInputType,
  name: string,
  all: { rules: Rules; known: Map<GraphQLInputType, Checks> },
): Check | null {
  const type = getNullableType(given);
  if (isListType(type)) {
    const item = checkOf(type.ofType, name, all);
    return (value) => (Array.isArray(value) ? faultInList(value, item) : (item?.(value) ?? null));
  }
  if (isInputObjectType(type)) {
    if (!all.known.has(type)) {
      all.known.set(type, []); // an input that holds itself is checked by the checks that are being made
      all.known.set(type, checksOf(Object.values(type.getFields()), all.rules, all.known));
    }
    return (value) => faultIn(all.known.get(type) ?? [], value as Record<string, unknown>); // an input object
  }
  if (type !== GraphQLString && type !== GraphQLID) return null;
  const longest = name === 'idempotencyKey' ? LONGEST_KEY : LONGEST_TEXT;
  return (value) => faultInText(String(value), longest, all.rules);
}

function faultIn(checks: Checks, given: Record<string, unknown>): Fault | null {
  for (const [name, check] of checks) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    const fault = check(value);
    if (fault) return { path: joined(name, fault.path), words: fault.words };
  }
  return null;
}

function faultInList(list: readonly unknown[], check: Check | null): Fault | null {
  if (list.length > LONGEST_LIST) return { path: '', words: `has more than ${LONGEST_LIST} items` };
  if (!check) return null;
  for (const [i, item] of list.entries()) {
    const fault = item === null ? null : check(item);
    if (fault) return { path: joined(`[${i}]`, fault.path), words: fault.words };
  }
  return null;
}

function faultInText(text: string, longest: number, { storable }: Rules): Fault | null {
  if (text.length > longest) return { path: '', words: `is longer than ${longest} characters` };
  if (storable && !isStorable(text)) {
    return { path: '', words: 'contains a NUL or an incomplete character' };
  }
  return null;
}

function joined(name: string, rest: string): string {
  return rest === '' || rest.startsWith('[') ? `${name}${rest}` : `${name}.${rest}`;
}
