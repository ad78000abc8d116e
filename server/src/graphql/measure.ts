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
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { rowsOfSchema } from './schema-rows.ts';

/** The size of an operation. What it asks of the schema itself is measured apart: that reads memory, not rows. */
export interface Size {
  readonly depth: number;
  readonly cost: number;
  readonly introspectionDepth: number;
  readonly introspectionCost: number;
  readonly aliases: number;
  /** Number of selections with every fragment written out. */
  readonly selections: number;
}

const NOTHING: Size = {
  depth: 0,
  cost: 0,
  introspectionDepth: 0,
  introspectionCost: 0,
  aliases: 0,
  selections: 0,
};
/** Rows that a list without a page size counts for. */
const ROWS_OF_A_LIST = 5;
const MOST_ROWS = 100;
const USUAL_ROWS = 50;
const INTROSPECTION = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

/**
 * Measures selections: an object costs one, times the rows of the pages and lists around it. A fragment is measured once, however
 * often and however deeply it is spread.
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
      const inner =
        node.kind === Kind.FRAGMENT_SPREAD
          ? this.#fragment(node.name.value)
          : this.of(node.selectionSet, node.typeCondition?.name.value ?? typeName);
      return join(total, { ...inner, selections: inner.selections + 1 });
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
    const own = { ...NOTHING, aliases: node.alias ? 1 : 0, selections: 1 };
    const ofSchema = parentName.startsWith('__');
    const field = this.#find(parentName, node.name.value);
    if (!node.selectionSet || !field) return ofSchema ? { ...own, introspectionDepth: 1 } : { ...own, depth: 1 };
    const inner = this.of(node.selectionSet, getNamedType(field.type).name);
    const sum = join(own, inner);
    if (!ofSchema && !INTROSPECTION.has(field.name)) {
      return { ...sum, depth: inner.depth + 1, cost: 1 + rowsOf(field, node) * inner.cost };
    }
    const rows = rowsOfSchema(this.#schema, parentName, field.name);
    return {
      ...sum,
      introspectionDepth: inner.introspectionDepth + 1,
      introspectionCost: rows * (1 + inner.introspectionCost),
    };
  }

  #find(parentName: string, name: string): GraphQLField<unknown, unknown> | null {
    const meta = INTROSPECTION.get(name);
    if (meta) return meta;
    const parent = this.#schema.getType(parentName);
    if (!parent || !isCompositeType(parent)) return null;
    return isObjectType(parent) || isInterfaceType(parent) ? (parent.getFields()[name] ?? null) : null;
  }
}

function join(a: Size, b: Size): Size {
  return {
    depth: Math.max(a.depth, b.depth),
    cost: a.cost + b.cost,
    introspectionDepth: Math.max(a.introspectionDepth, b.introspectionDepth),
    introspectionCost: a.introspectionCost + b.introspectionCost,
    aliases: a.aliases + b.aliases,
    selections: a.selections + b.selections,
  };
}

/** Rows that a field counts for. A page size in a variable counts as the largest that is allowed. */
function rowsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): number {
  if (field.args.some(({ name }) => name === 'first')) {
    const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    if (!given) return USUAL_ROWS;
    return given.kind === Kind.INT ? Math.min(Math.max(1, Number(given.value)), MOST_ROWS) : MOST_ROWS;
  }
  if (field.name === 'nodes' || field.name === 'edges') return 1; // the page around it has counted them
  return isListType(getNullableType(field.type)) ? ROWS_OF_A_LIST : 1;
}
