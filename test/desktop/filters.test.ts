import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { barriers } from '../house/barriers.ts';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { heard } from '../house/heard.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`Filters of the console, in a browser: skipped: ${missing}`);

let at: ConsoleHouse;

beforeAll(async () => {
  if (missing !== null) return;
  at = await ConsoleHouse.open();
  for (let sent = 0; sent < 2; sent++) await at.sender.caller.ocr(await pictureBody());
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('says what filters have found to those who do not see it', async () => {
  const page = await at.visit('/requests?time=any');
  const tells = (words: string) => until(`“${words}” is told`, async () => (await heard(page)) === words);
  await page.getByText('2 requests', { exact: true }).waitFor();
  expect(await heard(page)).toBe('');
  await choose(page, 'Status', 'succeeded');
  await tells('2 requests');
  await choose(page, 'Mode', 'async');
  await tells('No request matches these filters');
  await page.goto(page.url().replace(/#.*/, '#/requests?time=any&order=slowest'));
  await page.getByRole('grid', { name: 'Requests, slowest first' }).waitFor();
  await choose(page, 'Mode', 'async');
  await tells('No request matches these filters');

  await page.goto(page.url().replace(/#.*/, '#/accounts'));
  await page.getByRole('grid', { name: 'Accounts' }).waitFor();
  await page.getByLabel('Search by e-mail address').fill('nobody has this');
  await tells('No account matches');
  await page.getByLabel('Search by e-mail address').fill('');
  await tells('2 accounts');

  await page.goto(page.url().replace(/#.*/, '#/engines'));
  await page.getByRole('article').first().waitFor();
  await page.getByLabel('Filter engines').fill('tesser');
  await until('some are told', async () => /^1 of \d engines$/.test(await heard(page)));

  await page.goto(page.url().replace(/#.*/, '#/webhooks'));
  await page.getByText('No webhook was given up in the last 24 h').waitFor();
  await page.getByText('7 d', { exact: true }).click();
  await tells('0 webhooks given up');
  await page.context().close();
});

it.skipIf(missing)('takes no time that is half written, and says how to write it', async () => {
  const page = await at.visit('/requests');
  await page.getByRole('button', { name: 'Custom range' }).click();
  const from = page.getByRole('textbox', { name: 'Accepted from' });
  await from.fill('2026-11-21 10:00');
  await from.press('Backspace');
  await from.press('Enter');
  await page.getByRole('alert').getByText('Write it as YYYY-MM-DD hh:mm.', { exact: true }).waitFor();
  expect(page.url()).toMatch(/#\/requests$/);
  await from.press('End');
  await from.pressSequentially('5');
  await from.press('Enter');
  await from.waitFor({ state: 'detached' });
  expect(new URLSearchParams(page.url().split('?')[1]).get('from')).toMatch(/^2026-11-2\dT\d\d:\d5:00\.000Z$/);
  await page.context().close();
});

it.skipIf(missing)('tells what of an address it does not understand, and goes by the rest', async () => {
  const page = await at.visit('/requests?status=foo,succeeded&mode=slow&webhook=lost&from=yesterday');
  await page.getByText('2 requests', { exact: true }).waitFor();
  const words = 'status “foo”, mode “slow”, webhook “lost”, from “yesterday”';
  const told = page.getByRole('alert').getByText(`Not understood in the address, and left out: ${words}.`);
  await told.waitFor();
  expect(await barriers(page)).toEqual([]);
  await choose(page, 'Mode', 'sync');
  await told.waitFor({ state: 'detached' });
  await page.context().close();
});

/** Chooses from the list of a field, by keys. */
async function choose(page: Page, field: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).press('ArrowDown');
  await page.getByRole('option', { name: choice, exact: true }).click();
  await page.keyboard.press('Escape');
}
