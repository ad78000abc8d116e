import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`Moving through the console, in a browser: skipped: ${missing}`);

const LOW_WINDOW = { width: 1440, height: 320 };
const DOWN_PX = 200;

let at: ConsoleHouse;

beforeAll(async () => {
  if (missing === null) at = await ConsoleHouse.open();
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)(
  'names each page to the window and to those who hear it, and goes on from there by keys',
  async () => {
    const page = await at.visit('/alerts');
    await until('the window is named', async () => (await page.title()) === 'Alerts · ocr-router console');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await page.getByRole('link', { name: 'Engines' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('main', { name: 'Engines' }).waitFor();
    await until('the page has the focus', () => page.evaluate(() => document.activeElement?.id === 'main'));
    await page.getByRole('heading', { level: 1, name: 'Engines' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Scripted reader' }).first().click();
    await until('the engine is named', async () => (await page.title()) === 'reader · Engines · ocr-router console');
    await page.context().close();
  },
);

it.skipIf(missing)('begins a page at its top, also where it was seen before', async () => {
  const page = await at.visit('/settings');
  await page.setViewportSize(LOW_WINDOW);
  await open(page, 'Alerts');
  await open(page, 'Settings');
  await page.getByText('Operators’ keys').scrollIntoViewIfNeeded();
  await scrollMain(page, DOWN_PX);
  await open(page, 'Alerts');
  expect(await scrolledTo(page)).toBe(0);
  await page.context().close();
});

it.skipIf(missing)('comes back to where a page was left', async () => {
  const page = await at.visit('/settings');
  await page.setViewportSize(LOW_WINDOW);
  await page.getByText('Operators’ keys').scrollIntoViewIfNeeded();
  await scrollMain(page, DOWN_PX);
  await open(page, 'Alerts');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await until('it is where it was left', async () => (await scrolledTo(page)) === DOWN_PX);
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  expect(await scrolledTo(page)).toBe(0);
  await page.context().close();
});

it.skipIf(missing)('goes to the page of an address that is given while the page before is being drawn', async () => {
  const page = await at.visit('/requests?time=any&order=slowest');
  await page.getByRole('combobox', { name: 'Mode' }).press('ArrowDown');
  await page.getByRole('option', { name: 'async', exact: true }).click();
  await page.getByText('New ones that match show up here.').waitFor();
  await page.goto(page.url().replace(/#.*/, '#/accounts'));
  await page.getByRole('main', { name: 'Accounts' }).waitFor();
  await page.getByRole('grid', { name: 'Accounts' }).waitFor();
  expect(page.url()).toMatch(/#\/accounts$/);
  await page.context().close();
});

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

function scrollMain(page: Page, topPx: number): Promise<void> {
  return page.locator('main').evaluate((main, top) => main.scrollTo(0, top), topPx);
}

function scrolledTo(page: Page): Promise<number> {
  return page.locator('main').evaluate((main) => main.scrollTop);
}
