import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { expectError, expectGraphqlError } from '../../house/expect-error.ts';
import { type House, openHouse } from '../../house/house.ts';
import { Socket } from '../../house/socket.ts';
import { WebhookReceiver } from '../../house/webhook-receiver.ts';

let house: House;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const env = { ALLOW_PRIVATE_CIDRS: '127.0.0.0/8,::1/128' };
  house = await openHouse({ env });
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function browserOf(tier: 'free' | 'unlimited' = 'unlimited'): Promise<Browser> {
  const { accountId } = await house.account({ tier });
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  return new Browser(house.product).take(cookie);
}

it('counts the calls of an account’s logins together, each root field as one', async () => {
  const browser = await browserOf('free');
  const twenty = `{ ${Array.from({ length: 20 }, (_, n) => `a${n}: front { login }`).join(' ')} }`;
  for (let n = 0; n < 15; n++) expect((await browser.graphql(twenty)).status).toBe(200);
  const refused = await browser.graphql('{ front { login } }');
  expectGraphqlError(refused, 429, 'rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expectError(await browser.get('/api/webhooks'), 429, 'rate_limited');
  const { cookie, origin } = browser;
  await using socket = await new Socket(house.product.dashboardUrl, { cookie, origin }).enter();
  expect((await socket.answered('{ front { login } }')).codes).toEqual(['rate_limited']);
});

it('lets an account make 50 keys, and another one when one is revoked', async () => {
  const browser = await browserOf();
  const make = () =>
    browser.graphql<{ data: { createKey: { key: { id: string } } } }>('mutation { createKey { key { id } } }');
  // The account has one from its operator.
  const made = await Promise.all(Array.from({ length: 60 }, make));
  const ids = made.flatMap(({ body }) => body.data?.createKey.key.id ?? []);
  expect(ids).toHaveLength(49);
  expectGraphqlErrors(
    made.filter(({ body }) => body.data === null),
    'invalid_request',
  );
  await browser.graphql(`mutation { revokeKey(id: "${ids[0]}") }`);
  expect((await make()).body.data.createKey.key.id).toMatch(/^key_/);
});

it('sends ten test events of an account a minute', async () => {
  const browser = await browserOf();
  const { body } = await browser.send<{ id: string }>('POST', '/api/webhooks', { url: receiver.at('/ping') });
  for (let n = 0; n < 10; n++) expect((await browser.send('POST', `/api/webhooks/${body.id}/test`)).status).toBe(202);
  const refused = await browser.send('POST', `/api/webhooks/${body.id}/test`);
  expectError(refused, 429, 'rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
});

function expectGraphqlErrors(replies: readonly { body: unknown }[], code: string): void {
  expect(replies.length).toBeGreaterThan(0);
  for (const { body } of replies) expect(body).toMatchObject({ errors: [{ extensions: { code } }] });
}
