import { type FieldNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it } from 'vitest';
import { showsText } from './selected-fields.ts';

function infoOf(text: string) {
  const { definitions } = parse(text);
  const { selectionSet } = definitions.find(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode;
  const fragments = definitions.filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION);
  return {
    fieldNodes: selectionSet.selections as FieldNode[], // of these documents
    fragments: Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment])),
  };
}

it.each([
  ['{ ocrRequest(id: "a") { id pageResults { text } } }', false],
  ['{ ocrRequest(id: "a") { extractedText } }', true],
  ['{ ocrRequest(id: "a") { id mine: extractedTextPreview } }', true],
  ['{ ocrRequest(id: "a") { ... on OcrRequest @skip(if: true) { renderedBody } } }', true],
  [
    '{ ocrRequest(id: "a") { ...A } } fragment A on OcrRequest { ...B } fragment B on OcrRequest { extractedTextPlain }',
    true,
  ],
  ['{ ocrRequest(id: "a") { ...A } } fragment A on OcrRequest { extractedText: id }', false],
])('%s shows the text of a request: %s', (text, shows) => {
  expect(showsText(infoOf(text))).toBe(shows);
});
