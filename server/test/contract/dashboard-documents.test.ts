import { Kind } from 'graphql';
import { expect, it } from 'vitest';
import { compileContract } from '../../src/rest/contract/compile-contract.ts';
import { jsonSchema, readContract } from '../../src/rest/contract/contract.ts';
import { readDocuments } from '../../src/rest/documents.ts';
import { answerName, selectedFields } from './selected-fields.ts';

const documents = readDocuments('operations/dashboard');
const { operations } = await compileContract(readContract('dashboard'));

it('has no GraphQL document without an operation of the dashboard', () => {
  const known = operations.map(({ operationId }) => operationId);
  expect([...documents.keys()].filter((name) => !known.includes(name))).toEqual([]);
});

it.each(['login', 'getJwks', 'getUsageHistory'])('%s asks for every property of its response', (operationId) => {
  const operation = operations.find((each) => each.operationId === operationId);
  const document = documents.get(operationId);
  const [definition] = document?.definitions ?? [];
  if (!operation || !document || definition?.kind !== Kind.OPERATION_DEFINITION)
    throw new Error(`${operationId} is not there`);
  const [result] = selectedFields(document, definition.selectionSet);
  const asked = selectedFields(document, result?.selectionSet).map(answerName);
  const promised = Object.keys(jsonSchema(operation).properties ?? {}).filter((name) => name !== 'object');
  expect(promised.length).toBeGreaterThan(0);
  expect(promised.filter((name) => !asked.includes(name))).toEqual([]);
});
