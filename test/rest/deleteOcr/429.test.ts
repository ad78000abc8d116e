import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('above the rate limit nothing is deleted', async () => {
  const { accountId, caller } = await house.account({ tier: 'free' });
  const path = `/v1/ocr/${(await caller.ocr(await pictureBody())).body.request_id}`;
  await Promise.all(Array.from({ length: 60 }, () => caller.get('/v1/usage')));
  const refused = await caller.call('DELETE', path);
  expectError(refused, 429, 'rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  const { api_key } = await house.admin.createKey({ accountId });
  expect((await house.callerWith(api_key).get(path)).body.extracted_text).toBe('read by reader');
});
