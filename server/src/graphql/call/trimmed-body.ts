import { type DocumentNode, Kind } from 'graphql';
import { isObject } from '../../platform/is-object.ts';

/**
 * The part of a call's body that its document can use. The body stays in memory until the call is answered, and values that
 * nothing asks for may take many times their bytes.
 */
export function trimmedBody(body: unknown, document: DocumentNode): unknown {
  if (!isObject(body)) return body;
  const declared = document.definitions.flatMap((operation) =>
    operation.kind === Kind.OPERATION_DEFINITION
      ? (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
      : [],
  );
  const kept = only(body, ['query', 'operationName', 'variables', 'extensions']) as Record<string, unknown>;
  if ('variables' in kept) kept['variables'] = only(kept['variables'], declared);
  if ('extensions' in kept) kept['extensions'] = only(kept['extensions'], ['persistedQuery']);
  return kept;
}

/** The named properties of a value. A value that is no object is answered as it is: it is refused later. */
function only(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]));
}
