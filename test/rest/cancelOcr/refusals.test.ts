import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

const UNKNOWN = '/v1/ocr/ocr_00000000000000000000000000/cancel';

it('401 without a key', async () => {
  expectError(await house.stranger.call('POST', UNKNOWN), 401, 'authentication_error');
});

it('403 for a key without ocr:write', async () => {
  const { caller } = await house.account({ scopes: ['ocr:read', 'usage:read'] });
  expectError(await caller.call('POST', UNKNOWN), 403, 'insufficient_scope');
});

it.each([UNKNOWN, '/v1/ocr/unknown/cancel', '/v1/ocr/ocr_%27%3B--/cancel', '/v1/ocr/%00/cancel'])(
  '404 for %s',
  async (path) => {
    const { caller } = await house.account();
    expectError(await caller.call('POST', path), 404, 'not_found');
  },
);

it('404 for a request of another account, which stays as it is', async () => {
  const owner = await house.account();
  const other = await house.account();
  const { body } = await owner.caller.ocr(await pictureBody());
  expectError(await other.caller.call('POST', `/v1/ocr/${body.request_id}/cancel`), 404, 'not_found');
  expect((await owner.caller.get(`/v1/ocr/${body.request_id}`)).body.status).toBe('succeeded');
});

it('405 for another method', async () => {
  const { caller } = await house.account();
  const reply = await caller.get(UNKNOWN);
  expectError(reply, 405, 'invalid_request');
  expect(reply.headers['allow']).toBe('POST');
});
