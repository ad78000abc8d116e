import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';

/** The fields of a selection in their order, those of its fragments where they are spread. */
export function selectedFields(document: DocumentNode, selection: SelectionSetNode | undefined): FieldNode[] {
  return (selection?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT) return selectedFields(document, node.selectionSet);
    const name = node.name.value;
    const fragment = document.definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name,
    );
    if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`the fragment ${name} is not there`);
    return selectedFields(document, fragment.selectionSet);
  });
}

/** What a field is called in the answer. */
export function answerName(field: FieldNode): string {
  return field.alias?.value ?? field.name.value;
}
