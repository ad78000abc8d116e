import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
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
/** More than two pages of the list. */
const MANY = 105;
const AT_ONCE = 15;

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

  it('comes back from a request to its place in the list', async () => {
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const caller = house.callerWith(api_key);
    const ids: string[] = [];
    while (ids.length < MANY) {
      const some = Array.from({ length: AT_ONCE }, async () => caller.ocr(await pictureBody()));
      ids.push(...(await Promise.all(some)).map(({ body }) => body.request_id));
    }
    const [, , , far = ''] = ids.sort(); // ids rise with time: one of the oldest
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/requests');
    const row = page.getByRole('row').filter({ hasText: far });
    await page.getByRole('heading', { name: 'The newest 50 requests' }).waitFor();
    const scroller = page.getByRole('grid').locator('xpath=..');
    await until('the row has come', async () => {
      await scroller.evaluate((place) => place.scrollTo(0, place.scrollHeight));
      return (await row.count()) === 1;
    });
    await row.getByRole('link').click();
    await page.getByText('What it cost, and why').waitFor();
    const { body } = await caller.ocr(await pictureBody());
    await page.goBack();
    await row.waitFor();
    expect(await row.getAttribute('aria-selected')).toBe('true');
    const [place, seen] = [await row.boundingBox(), await scroller.boundingBox()];
    expect(place?.y).toBeGreaterThanOrEqual(seen?.y ?? Number.NaN);
    expect((place?.y ?? Number.NaN) + (place?.height ?? 0)).toBeLessThanOrEqual((seen?.y ?? 0) + (seen?.height ?? 0));
    await page.getByRole('heading', { name: `${MANY + 1} requests` }).waitFor();
    await page.getByRole('grid').press('Home');
    await page.getByRole('row').filter({ hasText: body.request_id }).waitFor();
    await open(page, 'Keys');
    await open(page, 'Requests');
    await page.getByRole('heading', { name: 'The newest 50 requests' }).waitFor();
    expect(visit.complaints).toEqual([]);
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
