import { it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('a key without usage:read', async () => {
  const { caller } = await house.account({ scopes: ['ocr:write', 'ocr:read'] });
  expectError(await caller.get('/v1/usage'), 403, 'insufficient_scope');
});
