import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** The names of all fields below the one that is resolved, at any depth, whether a directive skips them or not. */
export function selectedFields(info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      if (selection.kind !== Kind.FRAGMENT_SPREAD) {
        collect(selection.selectionSet);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        collect(info.fragments[selection.name.value]?.selectionSet);
      }
    }
  };
  for (const node of info.fieldNodes) collect(node.selectionSet);
  return names;
}

const OF_TEXT = ['extractedText', 'extractedTextPreview', 'extractedTextPlain', 'renderedBody'];

/** Whether a field of a request is selected that is made of its text. */
export function showsText(info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): boolean {
  const selected = selectedFields(info);
  return OF_TEXT.some((name) => selected.has(name));
}
