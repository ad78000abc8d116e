import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** How large an operation is. Depth and cost do not count what it asks of the schema itself. */
export interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly cost: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, cost: 0 };
/** Rows that a list without a page size is reckoned at. */
const ROWS_OF_A_LIST = 5;
const MOST_ROWS = 100;
const USUAL_ROWS = 50;

/**
 * Measures selections: objects cost one each, times the rows of the pages and lists around them. Every fragment is
 * measured once, however often and however deeply it is spread.
 */
export class Measure {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #known = new Map<string, Size>();

  constructor(schema: GraphQLSchema, fragments: readonly FragmentDefinitionNode[]) {
    this.#schema = schema;
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  of(selections: SelectionSetNode, typeName: string): Size {
    return selections.selections.reduce<Size>((total, node) => {
      if (node.kind === Kind.FIELD) return join(total, this.#field(node, typeName));
      if (node.kind === Kind.FRAGMENT_SPREAD) return join(total, this.#fragment(node.name.value));
      return join(total, this.of(node.selectionSet, node.typeCondition?.name.value ?? typeName));
    }, NOTHING);
  }

  #fragment(name: string): Size {
    const known = this.#known.get(name);
    if (known) return known;
    const fragment = this.#fragments.get(name);
    if (!fragment) return NOTHING;
    this.#known.set(name, NOTHING); // one that spreads itself is refused by another rule
    const size = this.of(fragment.selectionSet, fragment.typeCondition.name.value);
    this.#known.set(name, size);
    return size;
  }

  #field(node: FieldNode, parentName: string): Size {
    const aliases = node.alias ? 1 : 0;
    const { value: name } = node.name;
    const field = this.#find(parentName, name);
    if (!node.selectionSet || !field) return { depth: 1, aliases, cost: 0 };
    const inner = this.of(node.selectionSet, getNamedType(field.type).name);
    return { depth: inner.depth + 1, aliases: aliases + inner.aliases, cost: 1 + rowsOf(field, node) * inner.cost };
  }

  /** Null for what the schema tells of itself: GraphQL's own rules bound that. */
  #find(parentName: string, name: string): GraphQLField<unknown, unknown> | null {
    const parent = this.#schema.getType(parentName);
    if (!parent || !isCompositeType(parent) || name.startsWith('__')) return null;
    return isObjectType(parent) || isInterfaceType(parent) ? (parent.getFields()[name] ?? null) : null;
  }
}

function join(a: Size, b: Size): Size {
  return { depth: Math.max(a.depth, b.depth), aliases: a.aliases + b.aliases, cost: a.cost + b.cost };
}

/** A page size that comes by a variable is reckoned at the most there is. */
function rowsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): number {
  if (field.args.some(({ name }) => name === 'first')) {
    const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    if (!given) return USUAL_ROWS;
    return given.kind === Kind.INT ? Math.min(Math.max(1, Number(given.value)), MOST_ROWS) : MOST_ROWS;
  }
  if (field.name === 'nodes') return 1; // the page around it has counted them
  return isListType(getNullableType(field.type)) ? ROWS_OF_A_LIST : 1;
}
