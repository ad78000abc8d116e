import { it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { unknownKey } from '../../house/ids.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const UNKNOWN = '/v1/ocr/ocr_00000000000000000000000000';

it('without a key, and with one that nobody has', async () => {
  expectError(await house.stranger.call('DELETE', UNKNOWN), 401, 'authentication_error');
  expectError(await house.callerWith(unknownKey()).call('DELETE', UNKNOWN), 401, 'authentication_error');
});
