import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const { caller } = await house.account();

it.each([
  ['GET', '/v1/ocr', 'POST'],
  ['PUT', '/v1/ocr', 'POST'],
  ['DELETE', '/v1/ocr', 'POST'],
  ['POST', '/v1/engines', 'GET'],
  ['PUT', '/v1/ocr/ocr_00000000000000000000000000', 'GET'],
  ['PUT', '/v1/ocr/ocr_00000000000000000000000000', 'DELETE'],
  ['POST', '/v1/usage', 'GET'],
  ['PATCH', '/v1/changelog', 'GET'],
])('%s %s is refused and Allow names %s', async (method, path, allowed) => {
  const reply = await caller.call(method, path);
  expectError(reply, 405, 'invalid_request');
  expect(reply.headers['allow']?.split(/, */)).toContain(allowed);
});
