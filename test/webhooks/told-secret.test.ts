import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { ask } from '../house/graphql.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { verified, WebhookReceiver } from '../house/webhook-receiver.ts';

/** As by default on a machine of its own: secrets are encrypted in the database. */
const house = await openHouse({ env: { ...LOOPBACK_ALLOWED, SECRETS_KEY: randomBytes(32).toString('base64') } });
const receiver = await WebhookReceiver.start();
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
