import { it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it.each([
  '/v1/ocr/ocr_00000000000000000000000000',
  '/v1/usage',
  '/v1/models',
  '/v1/ocr/jobs/job_1/status',
  '/v1/ocr/jobs/job_1/result',
])('GET %s without a key', async (path) => {
  expectError(await house.stranger.get(path), 401, 'authentication_error');
});
