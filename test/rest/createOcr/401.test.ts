import { expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse();
const { accountId, apiKey } = await house.account();

const swapped = apiKey.endsWith('0') ? `${apiKey.slice(0, -1)}1` : `${apiKey.slice(0, -1)}0`;

it.each<[string, Record<string, string>]>([
  ['no key', {}],
  ['no Bearer prefix', { authorization: apiKey }],
  ['another scheme', { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` }],
  ['an empty key', { authorization: 'Bearer ' }],
  ['a typo at the end', { authorization: `Bearer ${swapped}` }],
  ['a part of the key', { authorization: `Bearer ${apiKey.slice(0, 20)}` }],
  ['something after the key', { authorization: `Bearer ${apiKey}x` }],
  ['another prefix', { authorization: `Bearer ${apiKey.replace('sk-ocr-', 'sk-')}` }],
  ['a well-formed key that was never made', { authorization: `Bearer sk-ocr-${'A'.repeat(38)}` }],
  ['the key in its own header', { 'x-api-key': apiKey }],
  ['the key as a cookie', { cookie: `session=${apiKey}` }],
])('%s', async (_name, headers) => {
  expectError(await house.stranger.ocr(await pictureBody(), { headers }), 401, 'authentication_error');
});

it('comes before the body is judged', async () => {
  expectError(await house.stranger.ocr('{"engine":', { key: null }), 401, 'authentication_error');
});

it('never quotes the key', async () => {
  const reply = await house.stranger.ocr(await pictureBody(), { headers: { authorization: `Bearer ${swapped}` } });
  expect(reply.text).not.toContain(swapped.slice(7, 20));
});

it('does not charge and calls no engine', async () => {
  expect(house.engines.calls('reader')).toEqual([]);
});

it('a revoked key, while another key of the account still works', async () => {
  const first = await house.admin.createKey({ accountId });
  const second = await house.admin.createKey({ accountId });
  const caller = house.callerWith(first.api_key);
  expect((await caller.get('/v1/usage')).status).toBe(200);
  await house.admin.revokeKey(first.key_id);
  const refused = await until('the revocation is known', async () => {
    const reply = await caller.get('/v1/usage');
    return reply.status !== 200 && reply;
  });
  expectError(refused, 401, 'authentication_error');
  expectError(await caller.ocr(await pictureBody()), 401, 'authentication_error');
  expect((await house.callerWith(second.api_key).get('/v1/usage')).status).toBe(200);
});
