import { expect, it } from 'vitest';
import { Caller } from '../../house/caller.ts';
import { expectError } from '../../house/expect-error.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const { apiKey } = await house.account();
const dashboard = new Caller(house.product.dashboardUrl);

it.each(['/openapi.json', '/docs', '/docs/', '/graphiql', '/livez', '/readyz', '/metrics'])(
  '%s takes GET alone, and says so',
  async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const reply = await house.stranger.call(method, path);
      expectError(reply, 405, 'invalid_request', /GET, HEAD/);
      expect(reply.headers['allow']).toBe('GET, HEAD');
    }
  },
);

it('what does not exist is 404 by any method', async () => {
  for (const path of ['/nothing', '/docs/nothing']) {
    expectError(await house.stranger.call('POST', path), 404, 'not_found');
  }
});

it.each([
  ['/api/login', 405, 'POST'],
  ['/api/webhooks', 405, 'GET, POST, HEAD'],
  ['/api/export', 405, 'GET'],
  ['/', 200, 'GET, HEAD'],
])('OPTIONS at the dashboard tells the methods that %s has', async (path, status, allow) => {
  const reply = await dashboard.call('OPTIONS', path, { headers: { authorization: `Bearer ${apiKey}` } });
  expect([reply.status, reply.headers['allow']]).toEqual([status, allow]);
});

it('OPTIONS at the dashboard finds nothing where nothing is', async () => {
  expectError(await dashboard.call('OPTIONS', '/api/nothing'), 404, 'not_found');
});

it('the front page of the dashboard takes GET alone', async () => {
  const reply = await dashboard.call('POST', '/');
  expectError(reply, 405, 'invalid_request');
  expect(reply.headers['allow']).toBe('GET, HEAD');
});
