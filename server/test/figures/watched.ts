import {
  type FragmentDefinitionNode,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { makeSchema } from '../../src/graphql/schema.ts';
import type { FaceFolder } from './face-numbers.ts';

const NUMBERS = ['Int', 'Float', 'Usd', 'BigInt'];
const schema = makeSchema([]);
const read: Readonly<Record<FaceFolder, Set<string>>> = {
  'dashboard/src': new Set(),
  'desktop/src': new Set(),
  'server/src/rest': new Set(),
};

/** What stands at a place of an answer: the number that it is, as type and field, and what is below it by name. */
interface Place {
  number?: string;
  readonly below: Map<string, Place>;
}

export function isNumber(type: GraphQLOutputType): boolean {
  return NUMBERS.includes(getNamedType(type).name);
}

/** Every number that tests have read in the answers to a face, as type and field. */
export function readNumbers(face: FaceFolder): ReadonlySet<string> {
  return read[face];
}

/** An answer that notes which of its numbers are read: what a test leaves out of its comparison, it never reads. */
export function watched<T>(face: FaceFolder, query: string, data: T): T {
  return watch(data, placesOf(query), read[face]) as T; // it reads as the same
}

function watch(value: unknown, { below }: Place, found: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => watch(each, { below }, found));
  const entries = Object.entries(value).map(([name, each]) => {
    const place = below.get(name);
    return [name, place ? watch(each, place, found) : each];
  });
  return new Proxy(Object.fromEntries(entries), {
    get(target, name, receiver) {
      const there = Reflect.get(target, name, receiver);
      const number = below.get(String(name))?.number;
      if (number && there !== null) found.add(number); // that nothing is nothing proves little
      return there;
    },
  });
}

/** The places of an operation's answer, under the names that the operation gives them. */
function placesOf(query: string): Place {
  const { definitions } = parse(query);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  const type = operation && schema.getRootType(operation.operation);
  if (!type) throw new Error('there is no operation whose answer could be watched');
  const top: Place = { below: new Map() };
  place(top, operation.selectionSet, type);
  return top;

  function place(at: Place, set: SelectionSetNode, type: GraphQLNamedOutputType): void {
    for (const each of set.selections) {
      if (each.kind === Kind.FRAGMENT_SPREAD) {
        const spread = fragments.get(each.name.value);
        if (spread) place(at, spread.selectionSet, type);
      } else if (each.kind === Kind.INLINE_FRAGMENT) {
        place(at, each.selectionSet, type);
      } else {
        const field = isObjectType(type) && type.getFields()[each.name.value];
        if (!field) continue; // `__typename`
        const name = (each.alias ?? each.name).value;
        const below: Place = at.below.get(name) ?? { below: new Map() };
        at.below.set(name, below);
        if (isNumber(field.type)) below.number = `${type.name}.${each.name.value}`;
        if (each.selectionSet) place(below, each.selectionSet, getNamedType(field.type));
      }
    }
  }
}
