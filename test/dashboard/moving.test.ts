import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { openHouse } from '../house/house.ts';
import { newPerson } from '../house/person.ts';
import { until } from '../house/until.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await openHouse();
const browser = missing === null ? await sharedChromium() : null;
if (browser === null) await house[Symbol.asyncDispose](); // of a file that is skipped no hook runs
afterAll(() => house[Symbol.asyncDispose]());

const PHONE_PX = 375;
const DOWN_PX = 300;

describe.skipIf(browser === null)(`moving through the dashboard${missing ? ` (${missing})` : ''}`, () => {
  it('begins a page at its top, also where it was seen before, and comes back to where it was left', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/account');
    await page.setViewportSize({ width: 1280, height: 400 });
    await open(page, 'Usage and balance');
    await page.getByText('By day and engine').waitFor();
    await open(page, 'Account');
    await scrollTo(page, DOWN_PX);
    await open(page, 'Usage and balance');
    expect(await scrolledTo(page)).toBe(0);
    await scrollTo(page, DOWN_PX);
    await open(page, 'Account');
    expect(await scrolledTo(page)).toBe(0);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Usage and balance' }).waitFor();
    await until('it is where it was left', async () => (await scrolledTo(page)) === DOWN_PX);
  });

  it('says which page has come to those who hear it, and goes on from there by keys', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/usage');
    await page.getByRole('link', { name: 'Keys' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await until('the heading has the focus', () => page.evaluate(() => document.activeElement?.tagName === 'H1'));
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('New key');
    await page.reload();
    await page.getByText('No keys yet').waitFor();
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('New key');
  });

  it('keeps keys in the menu of a narrow screen until it is closed, by Escape too', async () => {
    await using visit = await Visit.begin(browser, house, { widthPx: PHONE_PX });
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/keys');
    const menu = page.getByRole('button', { name: 'Pages' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await until('the menu has the focus', async () => (await focused(page)) === 'Close');
    await page.getByRole('button', { name: 'Sign out', exact: true }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') === null)).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Pages');
    await page.keyboard.press('Enter');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog', { name: 'New key' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });
});

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

function scrollTo(page: Page, topPx: number): Promise<void> {
  return page.evaluate((top) => window.scrollTo(0, top), topPx);
}

function scrolledTo(page: Page): Promise<number> {
  return page.evaluate(() => Math.round(window.scrollY));
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
  });
}
