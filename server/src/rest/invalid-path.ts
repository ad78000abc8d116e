import { coerceInputValue, type DocumentNode, type GraphQLSchema, isInputType, Kind, typeFromAST } from 'graphql';

/**
 * The path of the first value that its type does not take; empty where there is none. The body of a call is the variable
 * `request`, which is left out of the path.
 */
export function firstInvalidPath(
  schema: GraphQLSchema,
  document: DocumentNode,
  values: Readonly<Record<string, unknown>>,
): readonly (string | number)[] {
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  for (const { variable, type: node } of operation?.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node);
    if (!isInputType(type) || !(name in values)) continue;
    const paths: (readonly (string | number)[])[] = [];
    coerceInputValue(values[name], type, (path) => paths.push(path));
    const [first] = paths;
    if (first) return name === 'request' ? first : [name, ...first];
  }
  return [];
}
