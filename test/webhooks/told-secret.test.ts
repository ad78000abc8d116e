import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { ask } from '../house/graphql.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { type Received, verified, WebhookReceiver } from '../house/webhook-receiver.ts';

/** As by default on a machine of its own: secrets are encrypted in the database. */
const house = await openHouse({ env: { ...LOOPBACK_ALLOWED, SECRETS_KEY: randomBytes(32).toString('base64') } });
const receiver = await WebhookReceiver.start();
const HOUR_MS = 3_600_000;
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

it('the secret that an account is told is the one that its webhooks are signed with', async () => {
  const { caller: operator } = await house.account({ scopes: ['operator'] });
  const { data } = await ask<{ createAccount: { id: string; signingSecret: string } }>(
    operator,
    'mutation { createAccount(email: "told@example.com") { id signingSecret } }',
  );
  const { id, signingSecret } = data.createAccount;
  expect(signingSecret).toMatch(/^whsec_/);
  const made = await ask<{ createKey: { apiKey: string } }>(
    operator,
    'mutation ($id: ID!) { createKey(accountId: $id) { apiKey } addCredit(accountId: $id, usd: 1) { available } }',
    { id },
  );
  const caller = house.callerWith(made.data.createKey.apiKey);
  const wish = { mode: 'async', webhook_url: receiver.at('/told') };
  const { body } = await caller.ocr(await pictureBody('reader', wish));
  const [received] = await receiver.gets('/told');
  if (!received) throw new Error('no webhook came');
  expect(verified(received, signingSecret)).toMatchObject({ request_id: body.request_id });
  const seen = await ask<{ account: { signingSecret: string } }>(
    operator,
    'query ($id: ID!) { account(id: $id) { signingSecret } }',
    { id },
  );
  expect(seen.data.account).toEqual({ signingSecret });
});

it('every secret that was changed in the last day signs, however often it was, the latest four at most', async () => {
  const { accountId, caller } = await house.account();
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const browser = new Browser(house.product).take(cookie);
  type Made = { data: Record<'made', { id: string; secret: string; previousSecretUntil: string | null }> };
  const url = receiver.at('/rotated');
  const create = 'mutation ($url: String!) { made: createWebhook(url: $url) { id secret } }';
  const { id, secret } = (await browser.graphql<Made>(create, { url })).body.data.made;
  const rotate = 'mutation ($id: ID!) { made: rotateWebhookSecret(id: $id) { id secret previousSecretUntil } }';
  const secrets = [secret];
  const signers = async (): Promise<string[]> => {
    const sent = await caller.ocr(await pictureBody('reader', { mode: 'async', webhook_url: url }));
    const told = await until('it has come', () =>
      receiver.received('/rotated').find(({ bytes }) => bytes.includes(sent.body.request_id)),
    );
    return secrets.filter((each) => isGood(told, each));
  };
  expect(await signers()).toEqual(secrets);
  for (let i = 0; i < 2; i++) {
    const { made } = (await browser.graphql<Made>(rotate, { id })).body.data;
    secrets.push(made.secret);
    expect(Date.parse(made.previousSecretUntil ?? '') - Date.now()).toBeGreaterThan(23.9 * HOUR_MS);
  }
  expect(await signers()).toEqual(secrets);
  // Two calls at once are one after the other.
  for (const { body } of await Promise.all([1, 2, 3].map(() => browser.graphql<Made>(rotate, { id })))) {
    secrets.push(body.data.made.secret);
  }
  const signing = await signers();
  expect(signing).toHaveLength(5);
  expect(signing).not.toContain(secret); // the oldest of six
  const [row] = await readSql<{ all: string }>(house.databaseUrl, 'select w::text as all from webhook w');
  for (const each of secrets) expect(row?.all).not.toContain(each); // they are stored encrypted
});

function isGood(received: Received, secret: string): boolean {
  try {
    verified(received, secret);
    return true;
  } catch {
    return false;
  }
}
