import { GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import { lastingDocument, readDocument } from './document.ts';

const TEXT = 'subscription Watch($id: ID!) { ...F } fragment F on Subscription { requestUpdates(id: $id) { status } }';

/** Of everything that a document has, at any depth. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

it('what lasts has no positions: each holds the tokens of the whole text', () => {
  const names = namesIn(lastingDocument(TEXT));
  expect(names).toContain('selectionSet');
  expect(names).not.toContain('loc');
});

it('what is answered at once has them, for its errors', () => {
  const document = readDocument(TEXT);
  if (document instanceof GraphQLError) throw document;
  expect(document.loc).toBeDefined();
});
