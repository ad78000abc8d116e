import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it.each([
  'ocr_00000000000000000000000000',
  'ocr_',
  'unknown',
  'ocr_%00%27%3B--',
  'ocr_ILOU0000000000000000000000',
  '..%2f..%2fusage',
  'x'.repeat(2000),
])('an id that nobody has: %s', async (id) => {
  const { caller } = await house.account();
  expectError(await caller.get(`/v1/ocr/${id}`), 404, 'not_found');
});

it('a request of another account, as if it did not exist', async () => {
  const owner = await house.account();
  const other = await house.account();
  const { body } = await owner.caller.ocr(await pictureBody());
  const reply = await other.caller.get(`/v1/ocr/${body.request_id}`);
  expectError(reply, 404, 'not_found');
  const unknown = await other.caller.get('/v1/ocr/ocr_00000000000000000000000000');
  expect(reply.text.replace(body.request_id, '')).toBe(unknown.text.replace('ocr_00000000000000000000000000', ''));
});

it('a request of another account whose history is off', async () => {
  const owner = await house.account({ history: false });
  const other = await house.account();
  const { body } = await owner.caller.ocr(await pictureBody());
  expectError(await other.caller.get(`/v1/ocr/${body.request_id}`), 404, 'not_found');
});
