import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/**
 * The fields that an operation runs at its root, also those in fragments and under aliases. A question to the schema is one of
 * them; `__typename` costs nothing and is left out.
 */
export function rootFields(operation: OperationDefinitionNode, document: DocumentNode): FieldNode[] {
  const spreading = new Set<string>();
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return node.name.value === '__typename' ? [] : [node];
      if (node.kind === Kind.INLINE_FRAGMENT) return fieldsOf(node.selectionSet);
      if (spreading.has(node.name.value)) return []; // a second spread merges with the first
      spreading.add(node.name.value);
      const fragment = document.definitions.find(
        (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === node.name.value,
      );
      return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fieldsOf(fragment.selectionSet) : [];
    });
  return fieldsOf(operation.selectionSet);
}
