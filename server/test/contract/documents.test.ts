import { type DocumentNode, Kind, type SelectionSetNode, validate } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/schema.ts';
import { CompiledDocument } from '../../src/rest/compiled-document.ts';
import { compileContract } from '../../src/rest/contract/compile-contract.ts';
import { jsonSchema, type Operation, readContract, type Schema } from '../../src/rest/contract/contract.ts';
import { readDocuments } from '../../src/rest/documents.ts';
import { answerName, selectedFields } from './selected-fields.ts';

/** Properties that the facade adds: constants of the schema, and what a hook puts into the answer. */
const ADDED = new Set(['object', 'http_status', 'retry_after_seconds', 'pages_failed']);

let operations: readonly Operation[];
let documents: Map<string, DocumentNode>;

beforeAll(async () => {
  documents = readDocuments();
  operations = (await compileContract(readContract(), { check: true })).operations;
});

it.each(['operations', 'operations/dashboard', 'events'] as const)('the documents of %s fit the schema', (folder) => {
  const schema = makeSchema([]);
  const mistakes = [...readDocuments(folder)].flatMap(([name, document]) =>
    validate(schema, document).map(({ message }) => `${name}: ${message}`),
  );
  expect(mistakes).toEqual([]);
});

it.each(['operations', 'operations/dashboard', 'events'] as const)('the documents of %s compile', async (folder) => {
  const schema = makeSchema([]);
  const compiled = [...readDocuments(folder).values()].map((document) => new CompiledDocument(schema, document));
  expect(compiled.length).toBeGreaterThan(0);
  await Promise.all(compiled.map((each) => each.prepare()));
});

it('has one GraphQL document an operation, and no other', () => {
  expect([...documents.keys()].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

describe('each document', () => {
  it('asks for every property of its response', () => {
    const missing = operations.flatMap((operation) => {
      const document = documents.get(operation.operationId);
      const result = document && resultOf(document);
      if (!document || !result) return [`${operation.operationId}: no result`];
      const schema = jsonSchema(operation);
      const list = schema.properties?.['data'];
      const isWrapped = !selectedFields(document, result).map(answerName).includes('data') && list?.type === 'array';
      return missingFrom(isWrapped ? (list.items ?? {}) : schema, { document, result }, operation.operationId);
    });
    expect(missing).toEqual([]);
  });
});

function resultOf(document: DocumentNode): SelectionSetNode | undefined {
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  const fields = selectedFields(document, definition.selectionSet);
  return fields.find((field) => answerName(field) === 'result')?.selectionSet;
}

function missingFrom(
  schema: Schema,
  { document, result }: { document: DocumentNode; result: SelectionSetNode },
  path: string,
): string[] {
  const inner = schema.type === 'array' ? (schema.items ?? {}) : schema;
  const fields = new Map(selectedFields(document, result).map((field) => [answerName(field), field]));
  return Object.entries(inner.properties ?? {}).flatMap(([name, property]) => {
    if (ADDED.has(name)) return [];
    const field = fields.get(name);
    if (!field) return [`${path}.${name}`];
    if (!field.selectionSet) return [];
    return missingFrom(property, { document, result: field.selectionSet }, `${path}.${name}`);
  });
}
