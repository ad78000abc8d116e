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

const OF_TEXT = ['extractedText', 'extractedTextPlain', 'renderedBody'];
const OF_ITS_BEGINNING = ['extractedTextPreview', 'extractedTextIfShort'];

/** How much of a request's text is needed for what is shown of it. */
export type ShownText = 'none' | 'beginning' | 'whole';

/** How much of a request's text the selected fields are made of. */
export function shownText(info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): ShownText {
  const selected = selectedFields(info);
  if (OF_TEXT.some((name) => selected.has(name))) return 'whole';
  return OF_ITS_BEGINNING.some((name) => selected.has(name)) ? 'beginning' : 'none';
}
