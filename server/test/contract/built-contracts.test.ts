import { expect, it } from 'vitest';
import contracts from '#contracts';
import { compileContract } from '../../src/rest/contract/compile-contract.ts';
import { type Contract, readContract } from '../../src/rest/contract/contract.ts';

/** Calls that break rules of most operations, each in another part. */
const CALLS: readonly object[] = [
  { path: {}, query: {}, header: {} },
  { path: {}, query: { limit: 'many', unheard_of: '1' }, header: {} },
  { path: { request_id: 'x'.repeat(1000) }, query: { limit: '-1' }, header: { 'idempotency-key': '' } },
  { path: {}, query: {}, header: { 'idempotency-key': 'k' }, requestBody: {} },
  { path: {}, query: {}, header: { 'idempotency-key': 'k' }, requestBody: [] },
  {
    path: {},
    query: {},
    header: { 'idempotency-key': 'k' },
    requestBody: { engine: '', input: { type: 'file' }, settings: { dpi: 7 }, include: ['letters'], items: [{}] },
  },
];

it.each(['openapi', 'dashboard'] as const)('the build has every operation and rule of %s', async (name) => {
  const compiled = await compileContract(readContract(name));
  const idsOf = ({ operations }: Contract) => operations.map(({ operationId }) => operationId);
  expect(idsOf(contracts[name])).toEqual(idsOf(compiled));
  for (const id of idsOf(compiled)) expect(judged(contracts[name], id), id).toEqual(judged(compiled, id));
});

/** What the rules of an operation say of each of the calls, and what they make of it. */
function judged(contract: Contract, id: string): unknown {
  return (contract.rules[id] ?? []).map((rule) =>
    CALLS.map((given) => {
      const call = structuredClone(given);
      return { holds: rule(call), errors: rule.errors, call };
    }),
  );
}
