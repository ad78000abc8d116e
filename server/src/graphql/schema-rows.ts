import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

type Rows = ReadonlyMap<string, number>;

const measured = new WeakMap<GraphQLSchema, Rows>();

/** The most objects that a field of introspection answers: the length of the longest of these lists in this schema, or 1. */
export function rowsOfSchema(schema: GraphQLSchema, typeName: string, fieldName: string): number {
  const rows = measured.get(schema) ?? longestLists(schema);
  measured.set(schema, rows);
  return rows.get(`${typeName}.${fieldName}`) ?? 1;
}

function longestLists(schema: GraphQLSchema): Rows {
  const types = Object.values(schema.getTypeMap());
  const fields = types.flatMap(outputFields);
  const directives = schema.getDirectives();
  const longest = (lengths: readonly number[]) => Math.max(1, ...lengths);
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', directives.length],
    ['__Directive.args', longest(directives.map(({ args }) => args.length))],
    ['__Type.fields', longest(types.map((type) => outputFields(type).length))],
    ['__Type.interfaces', longest(types.map((type) => ('getInterfaces' in type ? type.getInterfaces().length : 0)))],
    [
      '__Type.possibleTypes',
      longest(types.filter(isInterfaceType).map((type) => schema.getPossibleTypes(type).length)),
    ],
    ['__Type.enumValues', longest(types.map((type) => (isEnumType(type) ? type.getValues().length : 0)))],
    [
      '__Type.inputFields',
      longest(types.map((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0))),
    ],
    ['__Field.args', longest(fields.map(({ args }) => args.length))],
  ]);
}

function outputFields(type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}
