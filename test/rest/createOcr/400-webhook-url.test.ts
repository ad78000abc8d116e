import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const { accountId, caller } = await house.account({ credit: 1 });

it.each([
  '',
  'not a url',
  '/hooks/ocr',
  'ftp://example.com/hook',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user:pass@example.com/hook',
  'http://127.0.0.1:9/hook',
  'http://localhost/hook',
  'http://2130706433/hook',
  'http://10.1.2.3/hook',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/hook',
  'http://[::ffff:10.0.0.1]/hook',
])('refuses the webhook_url %j, naming it, before anything runs', async (url) => {
  const body = await pictureBody('reader', { mode: 'async', webhook_url: url });
  expectError(await caller.ocr(body), 400, 'invalid_request', /webhook_url/);
  expect(house.engines.calls('reader')).toEqual([]);
  await expectBalance(house, accountId, 1);
});

it.each([{}, { mode: 'sync' }])('refuses a webhook_url without mode async (%j)', async (mode) => {
  const body = await pictureBody('reader', { ...mode, webhook_url: 'https://example.com/hook' });
  expectError(await caller.ocr(body), 400, 'invalid_request', /webhook_url/);
  expect(house.engines.calls('reader')).toEqual([]);
});
