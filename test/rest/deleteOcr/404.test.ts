import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it.each(['ocr_00000000000000000000000000', 'ocr_', 'unknown', 'ocr_%27%3B--', '%00', 'x'.repeat(2000)])(
  'an id that nobody has: %s',
  async (id) => {
    const { caller } = await house.account();
    expectError(await caller.call('DELETE', `/v1/ocr/${id}`), 404, 'not_found');
  },
);

it('a request of another account, which stays as it is', async () => {
  const owner = await house.account();
  const other = await house.account();
  const path = `/v1/ocr/${(await owner.caller.ocr(await pictureBody())).body.request_id}`;
  expectError(await other.caller.call('DELETE', path), 404, 'not_found');
  expect((await owner.caller.get(path)).body.extracted_text).toBe('read by reader');
});
