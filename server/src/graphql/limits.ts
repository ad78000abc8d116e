import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { rootFields } from './call/root-fields.ts';
import { Measure, type Size } from './measure.ts';

/** The measures of an operation, and how a refusal names them. */
const WORDS = {
  depth: 'depth',
  aliases: 'aliases',
  rootFields: 'root fields',
  cost: 'cost',
  selections: 'selections',
  fragments: 'fragments',
  introspectionDepth: 'depth of introspection',
  introspectionCost: 'cost of introspection',
} as const;

type Limits = Readonly<Record<keyof typeof WORDS, number>>;

/** Limits of an operation: beyond them it is refused before it runs. */
const MOST = {
  depth: 10,
  aliases: 30,
  rootFields: 20,
  cost: 5000,
  selections: 2000,
  fragments: 60,
  introspectionDepth: 20,
};
/** The introspection that is allowed, as a multiple of that of the whole schema: tools differ in how far they unwrap types. */
const INTROSPECTION_MARGIN = 1.5;

/** Finds documents that may ask of the schema. Most do not, and need not be measured for it. */
const ASKS_OF_SCHEMA = /__(?:schema|type)\b/;

/** Whether a document may ask of the schema, by its text. */
export function mayAskOfSchema(text: string): boolean {
  return ASKS_OF_SCHEMA.test(text);
}

/** How much of the schema a document asks for, in tenths: ten tenths are all of it, and take as long as ten small operations. */
export function schemaTenths(schema: GraphQLSchema, document: DocumentNode, text: string): number {
  if (!mayAskOfSchema(text)) return 0;
  const measure = new Measure(schema, fragmentsOf(document));
  const costs = document.definitions.map((operation) => {
    const root = operation.kind === Kind.OPERATION_DEFINITION ? schema.getRootType(operation.operation) : null;
    if (!root || operation.kind !== Kind.OPERATION_DEFINITION) return 0;
    return measure.of(operation.selectionSet, root.name).introspectionCost;
  });
  const whole = limitsOf(schema).introspectionCost / INTROSPECTION_MARGIN;
  return Math.ceil((10 * costs.reduce((sum, cost) => sum + cost, 0)) / whole);
}

/**
 * Errors for all that is too large in a document's operations. To be called before GraphQL's own rules, some of which compare
 * every field and fragment with every other one.
 */
export function sizeErrors(schema: GraphQLSchema, document: DocumentNode): GraphQLError[] {
  const most = limitsOf(schema);
  const fragments = fragmentsOf(document);
  const measure = new Measure(schema, fragments);
  return document.definitions.flatMap((operation) => {
    if (operation.kind !== Kind.OPERATION_DEFINITION) return [];
    const root = schema.getRootType(operation.operation);
    if (!root) return [];
    const size = {
      ...measure.of(operation.selectionSet, root.name),
      rootFields: rootFields(operation, document).length,
      fragments: fragments.length,
    };
    return (Object.keys(WORDS) as (keyof typeof WORDS)[]) // the keys of the same table
      .filter((what) => size[what] > most[what])
      .map((what) => tooMuch(WORDS[what], size[what], most[what], operation));
  });
}

const limits = new WeakMap<GraphQLSchema, Limits>();

function limitsOf(schema: GraphQLSchema): Limits {
  const known = limits.get(schema);
  if (known) return known;
  const introspectionCost = Math.ceil(INTROSPECTION_MARGIN * wholeSchema(schema).introspectionCost);
  const made = { ...MOST, introspectionCost };
  limits.set(schema, made);
  return made;
}

/** The size of the query with which tools read the whole schema. */
function wholeSchema(schema: GraphQLSchema): Size {
  const everything = {
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  };
  const document = parse(getIntrospectionQuery(everything));
  const operation = getOperationAST(document);
  if (!operation) throw new Error('the introspection query has an operation');
  return new Measure(schema, fragmentsOf(document)).of(operation.selectionSet, schema.getQueryType()?.name ?? '');
}

function fragmentsOf(document: DocumentNode): FragmentDefinitionNode[] {
  return document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
}

function tooMuch(what: string, value: number, most: number, operation: OperationDefinitionNode): GraphQLError {
  const message = `The operation is too large: ${what} ${value}, of at most ${most}. Ask for less at once.`;
  return new GraphQLError(message, { nodes: [operation], extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
}
