import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { barriers } from '../house/barriers.ts';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`The console's accounts in a browser: skipped: ${missing}`);

let at: ConsoleHouse;

beforeAll(async () => {
  if (missing === null) at = await ConsoleHouse.open();
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('makes a key, shows it once, and revokes it', async () => {
  const page = await at.visit(`/accounts?account=${at.sender.accountId}`);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('scanner');
  await page.getByRole('button', { name: 'Create key' }).click();
  const apiKey = await page.getByText(/^sk-ocr-\w{38}$/).innerText();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByText('scanner', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(apiKey);
  expect((await at.house.callerWith(apiKey).ocr(await pictureBody())).status).toBe(200);

  const key = page
    .locator('aside div')
    .filter({ hasText: /^scanner/ })
    .first();
  await key.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('scanner is revoked.', { exact: true }).waitFor(); // the question says so, too
  expect(await barriers(page, '.mantine-Notifications-root', { all: true })).toEqual([]);
  // Keys that were just checked are known for a moment.
  await until('the key is refused', async () => (await at.house.callerWith(apiKey).get('/v1/usage')).status === 401);
  await page.context().close();
});

it.skipIf(missing)('adds credit with a reason, and takes back what was too much', async () => {
  const page = await at.visit(`/accounts?account=${at.sender.accountId}`);
  await page.getByRole('button', { name: 'Add credit' }).click();
  await page.getByLabel('Amount in USD').fill('5');
  await page.getByLabel('Reason (optional, kept in the ledger)').fill('goodwill');
  await page.getByRole('button', { name: 'Add $5.00' }).click();
  await page.getByText('“goodwill”').waitFor();
  await page.getByRole('button', { name: 'Correct', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Amount in USD/).fill('-5');
  expect(await dialog.getByRole('button', { name: 'Take $5.00' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('added twice');
  await dialog.getByRole('button', { name: 'Take $5.00' }).click();
  await page.getByText('“added twice”').waitFor();
  await page.context().close();
});

it.skipIf(missing)(
  'moves money on production only after the name was typed, and nothing at all where it may only read',
  async () => {
    const { api_key: key } = await at.house.admin.createKey({
      accountId: at.sender.accountId,
      scopes: ['operator'],
    });
    const page = await at.visit('/settings');
    await addGateway(page, { name: 'Works', key, production: true });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('PROD').first().waitFor();

    await openAccount(page);
    const email = await page.locator('aside h2').innerText();
    await page.getByRole('button', { name: 'Add credit' }).click();
    await page.getByLabel('Amount in USD').fill('7');
    const add = page.getByRole('button', { name: 'Add $7.00' });
    expect(await add.isDisabled()).toBe(true);
    await page.getByLabel(/This is production/).fill(email);
    await add.click();
    await page.getByText(/\$7\.00 added/).waitFor();

    await page.goto(page.url().replace(/#.*/, '#/settings'));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('switch', { name: /^Read-only/ }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Works was saved.').last().waitFor(); // the first note may still stand
    await openAccount(page);
    const refused = page.getByRole('button', { name: 'Add credit' });
    await until('the button is off', async () => (await refused.getAttribute('aria-disabled')) === 'true');
    await refused.hover();
    await page.getByText('The profile “Works” is read-only.').waitFor();
    await page.context().close();
  },
);

it.skipIf(missing)('draws what an account was charged by day, and in words for who does not see it', async () => {
  await at.house.admin.seedDemo({ days: 30, seed: 'accounts' });
  const page = await at.visit('/accounts?sort=-cost');
  const row = page.getByRole('row').filter({ hasText: 'demo' }).first();
  const chart = row.getByRole('img', { name: /^Charged by day, \S+: up to \$[\d.]+, today \$[\d.]+$/ });
  await chart.waitFor();
  expect(await chart.locator('rect').count()).toBeGreaterThan(20);
  await page.goto(page.url().replace('sort=-cost', 'days=1'));
  await page.getByRole('columnheader', { name: 'Requests, 1 d' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Charged by day' }).count()).toBe(0); // one bar says nothing
  await page.context().close();
});

interface Gateway {
  readonly name: string;
  readonly key: string;
  readonly production: boolean;
}

async function addGateway(page: Page, { name, key, production }: Gateway): Promise<void> {
  await page.getByRole('button', { name: 'Add a gateway' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Address of its API').fill(at.house.product.url);
  await page.getByLabel('Operator’s key', { exact: true }).fill(key);
  if (production) await page.getByRole('switch', { name: /^Production/ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`${name} was saved.`).waitFor();
}

async function openAccount(page: Page): Promise<void> {
  await page.goto(page.url().replace(/#.*/, `#/accounts?account=${at.sender.accountId}`));
  await page.getByRole('heading', { name: 'Balance' }).waitFor();
}
