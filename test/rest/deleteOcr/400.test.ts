import { it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('a query parameter that it does not have', async () => {
  const { caller } = await house.account();
  expectError(
    await caller.call('DELETE', '/v1/ocr/ocr_00000000000000000000000000?hard=1'),
    400,
    'invalid_request',
    /^hard: /,
  );
});
