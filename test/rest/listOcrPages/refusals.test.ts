import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

const NOBODY = '/v1/ocr/ocr_00000000000000000000000000/pages';

it.each([
  ['per_page=101', /per_page/],
  ['per_page=0', /per_page/],
  ['page=0', /page/],
  ['page=x', /page/],
  ['include=letters', /include.*letters/],
  ['include=words,words', /include/],
])('400 for %s', async (query, message) => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(await pictureBody());
  const reply = await caller.get(`/v1/ocr/${body.request_id}/pages?${query}`);
  expectError(reply, 400, 'invalid_request');
  expect(reply.body.error?.message).toMatch(message);
});

it('401 without a key', async () => {
  expectError(await house.stranger.get(NOBODY), 401, 'authentication_error');
});

it('403 for a key that may send documents only', async () => {
  const { caller } = await house.account({ scopes: ['ocr:write'] });
  const { body } = await caller.ocr(await pictureBody());
  expectError(await caller.get(`/v1/ocr/${body.request_id}/pages`), 403, 'insufficient_scope');
});

it('404 for a request that is nobody’s, and for that of another account', async () => {
  const [owner, other] = [await house.account(), await house.account()];
  expectError(await other.caller.get(NOBODY), 404, 'not_found');
  const { body } = await owner.caller.ocr(await pictureBody());
  expectError(await other.caller.get(`/v1/ocr/${body.request_id}/pages`), 404, 'not_found');
});

it('410 once history was switched off', async () => {
  const { accountId, caller } = await house.account();
  const { body } = await caller.ocr(await pictureBody('reader', { include: ['words'] }));
  const path = `/v1/ocr/${body.request_id}/pages`;
  expect((await caller.get(path)).status).toBe(200);
  await house.admin.setHistory(accountId, false);
  expectError(await caller.get(path), 410, 'result_not_retained');
});
