import { afterAll, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { openHouse } from '../../house/house.ts';

const house = await openHouse();
afterAll(() => house[Symbol.asyncDispose]());

it('a key without usage:read', async () => {
  const { caller } = await house.account({ scopes: ['ocr:write', 'ocr:read'] });
  expectError(await caller.get('/v1/usage'), 403, 'insufficient_scope');
});
