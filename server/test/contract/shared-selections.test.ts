import { type DocumentNode, Kind, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/schema.ts';
import { readDocuments } from '../../src/rest/documents.ts';

/** As many equal lines in two documents are one thing that is written twice. */
const MANY = 5;

const schema = makeSchema([]);

it.each(['operations', 'operations/dashboard'] as const)('selects the same of a type once in %s', (folder) => {
  const written = [...readDocuments(folder)].flatMap(([name, document]) => selectionsOf(name, document));
  const repeated = written.flatMap((one, at) =>
    written
      .slice(at + 1)
      .filter(
        (other) => other.type === one.type && other.fields.filter((field) => one.fields.includes(field)).length >= MANY,
      )
      .map((other) => `${one.name} and ${other.name}: ${one.type}`),
  );
  expect(written.length).toBeGreaterThan(MANY);
  expect([...new Set(repeated)]).toEqual([]);
});

/** What an operation selects in its own words; what it takes from a fragment is not among it. */
function selectionsOf(name: string, document: DocumentNode): { name: string; type: string; fields: string[] }[] {
  const info = new TypeInfo(schema);
  const found: { name: string; type: string; fields: string[] }[] = [];
  const visitor = visitWithTypeInfo(info, {
    FragmentDefinition: () => false,
    SelectionSet(node) {
      const fields = node.selections.filter(({ kind }) => kind === Kind.FIELD).map(print);
      found.push({ name, type: String(info.getParentType()), fields });
    },
  });
  visit(document, visitor);
  return found;
}
