import { it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('an id that nothing can have', async () => {
  const { caller } = await house.account();
  expectError(await caller.call('DELETE', '/v1/ocr/ocr_%00'), 400, 'invalid_request');
});
