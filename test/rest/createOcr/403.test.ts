import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it.each([
  [['ocr:read' as const]],
  [['usage:read' as const]],
  [['ocr:read' as const, 'usage:read' as const, 'operator' as const]],
])('a key with %j may not send documents', async (scopes) => {
  const { caller } = await house.account({ scopes });
  expectError(await caller.ocr(await pictureBody()), 403, 'insufficient_scope');
  expect(house.engines.calls('reader')).toEqual([]);
});

it('a key with ocr:write alone may', async () => {
  const { caller } = await house.account({ scopes: ['ocr:write'] });
  expect((await caller.ocr(await pictureBody())).status).toBe(200);
});
