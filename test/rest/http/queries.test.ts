import { beforeAll, describe, expect, it } from 'vitest';
import { ADDED_ROUTES } from '../../contract/added.ts';
import { type ContractName, type Operation, resolvedContract } from '../../contract/resolved-contract.ts';
import { API_ROUTES, DASHBOARD_ROUTES } from '../../contract/specified.ts';
import { Browser } from '../../house/browser.ts';
import { expectError } from '../../house/expect-error.ts';
import { newPerson } from '../../house/person.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const { caller } = await house.account();
const browser = new Browser(house.product);
beforeAll(async () => {
  const { email, password } = await newPerson(house);
  await browser.login(email, password);
});

const readsOf = (routes: readonly (readonly [string, string, string])[]) =>
  routes.filter(([method]) => method === 'GET').map(([, path]) => path.replace(/\{\w+\}/, 'reader'));
const API = readsOf([...API_ROUTES, ...ADDED_ROUTES]).filter((path) => path !== '/v1/health');
const NAMED = /^ts: is not a query parameter of this call\.$/;

describe('a query parameter that an operation does not have', () => {
  it.each(API)('GET %s: 400, by its name', async (path) => {
    const needed = path.endsWith('/output') ? 'format=text&' : '';
    expectError(await caller.get(`${path}?${needed}ts=1`), 400, 'invalid_request', NAMED);
  });

  it.each([...readsOf(DASHBOARD_ROUTES), '/api/export'])('GET %s of the dashboard', async (path) => {
    const needed = path === '/api/usage' ? 'user_id=a&' : '';
    expectError(await browser.get(`${path}?${needed}ts=1`), 400, 'invalid_request', NAMED);
  });

  it('is named as far as it is short', async () => {
    const { body } = await caller.get<{ error: { message: string } }>(`/v1/usage?${'x'.repeat(5000)}=1`);
    expect(body.error.message).toBe(`${'x'.repeat(100)}: is not a query parameter of this call.`);
  });

  it.each(['openapi', 'dashboard'] as const)('is a 400 of every operation of %s that looks at its query', (name) => {
    const silent = operationsOf(name).filter(({ responses }) => !('400' in responses));
    expect(silent.map(({ operationId }) => operationId)).toEqual(name === 'openapi' ? ['getHealth'] : []);
  });

  it('is nothing to the health check, which monitors ask past caches', async () => {
    const { status, body } = await house.stranger.get<unknown>('/v1/health?ts=1&ts=2&%00=%ff');
    expect({ status, body }).toEqual({ status: 200, body: { ok: true } });
  });
});

function operationsOf(name: ContractName): Operation[] {
  return Object.values(resolvedContract(name).paths).flatMap((path) => Object.values(path));
}
