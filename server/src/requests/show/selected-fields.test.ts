import { type FieldNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it } from 'vitest';
import { shownText } from './selected-fields.ts';

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
  ['{ ocrRequest(id: "a") { id pageResults { text } } }', 'none'],
  ['{ ocrRequest(id: "a") { extractedText } }', 'whole'],
  ['{ ocrRequest(id: "a") { id mine: extractedTextPreview } }', 'beginning'],
  ['{ ocrRequest(id: "a") { extractedTextIfShort } }', 'beginning'],
  ['{ ocrRequest(id: "a") { extractedTextPreview extractedText } }', 'whole'],
  ['{ ocrRequest(id: "a") { ... on OcrRequest @skip(if: true) { renderedBody } } }', 'whole'],
  [
    '{ ocrRequest(id: "a") { ...A } } fragment A on OcrRequest { ...B } fragment B on OcrRequest { extractedTextPlain }',
    'whole',
  ],
  ['{ ocrRequest(id: "a") { ...A } } fragment A on OcrRequest { extractedText: id }', 'none'],
])('%s shows of the text of a request: %s', (text, shown) => {
  expect(shownText(infoOf(text))).toBe(shown);
});
