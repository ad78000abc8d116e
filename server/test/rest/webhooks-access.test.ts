import { afterAll, beforeEach, expect, it } from 'vitest';
import { expectError } from '../../../test/house/expect-error.ts';
import { HOOK_URL, loggedIn, WebhookRoutes } from '../webhooks/webhook-routes.ts';

const UNKNOWN = 'wh_00000000000000000000000000';
/** Calls about one registration: what comes after its id, and the body. */
const CALLS = [
  ['PATCH', '', { label: 'mine' }],
  ['DELETE', '', undefined],
  ['POST', '/test', undefined],
  ['GET', '/deliveries', undefined],
] as const;

const routes = await WebhookRoutes.open();
afterAll(() => routes[Symbol.asyncDispose]());

let accountId: string;
beforeEach(async () => {
  ({ accountId } = await routes.login());
});

it.each(CALLS)('%s …%s is 404 for another account', async (method, rest, body) => {
  const { id } = await routes.create();
  await routes.login();
  expectError(await routes.send(method, `/api/webhooks/${id}${rest}`, body), 404, 'not_found');
  expectError(await routes.send(method, `/api/webhooks/${UNKNOWN}${rest}`, body), 404, 'not_found');
  expect(await routes.list()).toEqual([]);
  routes.who = loggedIn(accountId);
  expect(await routes.list()).toEqual([expect.not.objectContaining({ label: 'mine' })]);
});

it.each([...CALLS, ['GET', null, undefined], ['POST', null, { url: HOOK_URL }]] as const)(
  '%s %s is 401 without a login, and for an API key',
  async (method, rest, body) => {
    const { id } = await routes.create();
    const path = rest === null ? '/api/webhooks' : `/api/webhooks/${id}${rest}`;
    for (const stranger of [null, loggedIn(accountId, 'key')]) {
      routes.who = stranger;
      expectError(await routes.send(method, path, body), 401, 'authentication_error');
    }
  },
);
