import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('a key of the account that may read only, or that has every other right', async () => {
  const { accountId, caller } = await house.account();
  const path = `/v1/ocr/${(await caller.ocr(await pictureBody())).body.request_id}`;
  for (const scopes of [['ocr:read'], ['usage:read', 'operator']] as const) {
    const { api_key } = await house.admin.createKey({ accountId, scopes: [...scopes] });
    expectError(await house.callerWith(api_key).call('DELETE', path), 403, 'insufficient_scope');
  }
  expect((await caller.get(path)).body.extracted_text).toBe('read by reader');
});
