import { it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('a key that may send documents may not read them for that', async () => {
  const { caller } = await house.account({ scopes: ['ocr:write'] });
  const { body } = await caller.ocr(await pictureBody());
  expectError(await caller.get(`/v1/ocr/${body.request_id}`), 403, 'insufficient_scope');
});

it('nor does any other scope imply it', async () => {
  const { caller } = await house.account({ scopes: ['usage:read', 'operator'] });
  expectError(await caller.get('/v1/ocr/ocr_00000000000000000000000000'), 403, 'insufficient_scope');
});
