import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('a finished request of an account whose history is off', async () => {
  const { caller } = await house.account({ history: false });
  const { body } = await caller.ocr(await pictureBody());
  const reply = await caller.get(`/v1/ocr/${body.request_id}`);
  expectError(reply, 410, 'result_not_retained');
  expect(reply.body).not.toHaveProperty('cost_debited');
});

it('a request from before history was turned off, and it stays so after it is turned on again', async () => {
  const { accountId, caller } = await house.account();
  const before = await caller.ocr(await pictureBody());
  const path = `/v1/ocr/${before.body.request_id}`;
  expect((await caller.get(path)).status).toBe(200);
  await house.admin.setHistory(accountId, false);
  expectError(await caller.get(path), 410, 'result_not_retained');
  const meanwhile = await caller.ocr(await pictureBody());
  await house.admin.setHistory(accountId, true);
  expectError(await caller.get(path), 410, 'result_not_retained');
  expectError(await caller.get(`/v1/ocr/${meanwhile.body.request_id}`), 410, 'result_not_retained');
  const after = await caller.ocr(await pictureBody());
  expect((await caller.get(`/v1/ocr/${after.body.request_id}`)).status).toBe(200);
});
