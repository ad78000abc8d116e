import {
  type DocumentNode,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/schema.ts';
import { compileContract } from '../../src/rest/contract/compile-contract.ts';
import { jsonSchema, readContract, type Schema } from '../../src/rest/contract/contract.ts';
import { readDocuments } from '../../src/rest/documents.ts';
import { answerName, selectedFields } from './selected-fields.ts';

const schema = makeSchema([]);
/** A GraphQL enum cannot hold `ocr.completed` or `ocr:write`. */
const IS_NAME = /^[_a-z]\w*$/i;
/** Two words in backticks with nothing but a comma or an "or" between them. */
const LISTED = /`[a-z_]+`(?: \([^)]*\))?(?:,| or) `[a-z_]+`/;

const objects = Object.values(schema.getTypeMap()).filter(
  (type) => isObjectType(type) && !type.name.startsWith('__') && !/^(Query|Mutation|Subscription)$/.test(type.name),
);

it('has an enum for each field whose values are a closed set, and no list of them in prose', () => {
  const listed = objects.flatMap((type) =>
    Object.values(isObjectType(type) ? type.getFields() : {})
      .filter((field) => !isEnumType(getNamedType(field.type)))
      .filter(({ description }) => LISTED.test(description ?? ''))
      .map((field) => `${type.name}.${field.name}: ${field.description}`),
  );
  expect(listed).toEqual([]);
});

/** An item whose end nobody saw (the database was away) has no word in the contract. */
const UNSEEN = { place: 'createOcrBatch status', unlisted: ['processing'] };

it.each([
  ['openapi', 'operations', [UNSEEN]],
  ['dashboard', 'operations/dashboard', []],
] as const)(
  'answers nothing but what the contract %s lists, where it lists all values',
  async (contract, folder, known) => {
    const operations = (await compileContract(readContract(contract))).operations;
    const documents = readDocuments(folder);
    const found = operations.flatMap((operation) => {
      const document = documents.get(operation.operationId);
      const answers = Object.keys(operation.responses).map((status) => jsonSchema(operation, status));
      return document ? answers.flatMap((answer) => closedSets(operation.operationId, document, answer)) : [];
    });
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ unlisted }) => unlisted?.length !== 0)).toEqual(known);
  },
);

interface ClosedSet {
  readonly place: string;
  /** Values of the field's GraphQL type that the contract does not list; null where the type is no enum. */
  readonly unlisted: readonly string[] | null;
}

function closedSets(operationId: string, document: DocumentNode, answer: Schema): ClosedSet[] {
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) return [];
  const root = schema.getRootType(definition.operation);
  const [result] = selectedFields(document, definition.selectionSet);
  const type = root?.getFields()[result?.name.value ?? '']?.type;
  if (!type) return [];
  const list = answer.properties?.['data']?.items;
  const inner = list && !selectedFields(document, result?.selectionSet).some((each) => answerName(each) === 'data');
  return walk(inner ? list : answer, getNamedType(type), result?.selectionSet);

  function walk(shape: Schema, of: GraphQLNamedType, selection: SelectionSetNode | undefined): ClosedSet[] {
    if (!isObjectType(of)) return [];
    const properties = shape.items?.properties ?? shape.properties ?? {};
    return selectedFields(document, selection).flatMap((field) => {
      const property = properties[answerName(field)];
      const named = getNamedType(of.getFields()[field.name.value]?.type);
      if (!property || !named) return [];
      const values = property.items?.enum ?? property.enum ?? [];
      const isClosed = values.length > 1 && values.every((value) => value === null || IS_NAME.test(String(value)));
      const own = isClosed
        ? [{ place: `${operationId} ${answerName(field)}`, unlisted: unlistedOf(values, named) }]
        : [];
      return [...own, ...walk(property, named, field.selectionSet)];
    });
  }
}

function unlistedOf(values: readonly unknown[], type: GraphQLNamedType): readonly string[] | null {
  if (!isEnumType(type)) return null;
  const names = type.getValues().map(({ name }) => name);
  return names.filter((name) => !values.includes(name));
}
