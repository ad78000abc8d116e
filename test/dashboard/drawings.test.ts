import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { newPerson, type Person } from '../house/person.ts';
import { until } from '../house/until.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await openHouse();
const browser = missing === null ? await sharedChromium() : null;
if (browser === null) await house[Symbol.asyncDispose](); // of a file that is skipped no hook runs
afterAll(() => house[Symbol.asyncDispose]());

describe.skipIf(browser === null)(`how the dashboard draws${missing ? ` (${missing})` : ''}`, () => {
  it('says what a day was beside the pointer, within the chart, and to arrows', async () => {
    const person = await newPerson(house);
    await readOne(person);
    await using visit = await Visit.begin(browser, house, { widthPx: 960 });
    await visit.openAs(person, '/usage');
    for (const name of [/^Charged by day and engine/, /^Charged this month against last/]) {
      const chart = visit.page.getByRole('slider', { name });
      await chart.scrollIntoViewIfNeeded();
      const box = await boxOf(chart);
      const frame = await boxOf(visit.page.locator('section').filter({ has: chart }).last());
      for (const x of [box.x + 70, box.x + box.width / 2, box.x + box.width - 2]) {
        await visit.page.mouse.move(x, box.y + box.height - 8);
        const tip = await boxOf(chart.locator('[data-tip]'));
        expect(tip.x).toBeGreaterThanOrEqual(frame.x);
        expect(tip.x + tip.width).toBeLessThanOrEqual(frame.x + frame.width);
        expect(tip.x - 20).toBeLessThan(x);
        expect(tip.x + tip.width + 20).toBeGreaterThan(x);
      }
      await visit.page.mouse.move(0, 0);
      await chart.focus();
      await visit.page.keyboard.press('End');
      const last = await chart.getAttribute('aria-valuetext');
      expect(last).toContain('(UTC)');
      await visit.page.keyboard.press('Home');
      await until('another day is said', async () => (await chart.getAttribute('aria-valuetext')) !== last);
      const tip = await boxOf(chart.locator('[data-tip]'));
      expect(tip.x).toBeLessThan(box.x + box.width / 2);
    }
    expect(visit.complaints).toEqual([]);
  });

  it('moves nothing where an id is not one, on a narrow screen either', async () => {
    const person = await newPerson(house);
    await readOne(person);
    await using visit = await Visit.begin(browser, house, { widthPx: 360 });
    await visit.openAs(person, '/requests');
    const field = visit.page.getByLabel('Request id');
    await visit.page.getByRole('grid').first().waitFor();
    const before = await boxOf(visit.page.getByRole('grid').first());
    await field.fill('nothing');
    await field.press('Enter');
    const words = await boxOf(visit.page.getByText('An id begins with ocr_ or req_'));
    expect((await boxOf(visit.page.getByRole('grid').first())).y).toBe(before.y);
    expect(words.x + words.width).toBeLessThanOrEqual(360);
  });

  it('has the button that copies code in the code’s corner', async () => {
    await using visit = await Visit.begin(browser, house);
    await visit.openAs(await newPerson(house), '/playground');
    const code = await boxOf(visit.page.getByRole('region', { name: 'The request in curl' }));
    const copy = await boxOf(visit.page.getByRole('button', { name: 'Copy', exact: true }));
    expect(copy.y).toBeGreaterThan(code.y);
    expect(copy.y + copy.height).toBeLessThan(code.y + code.height);
    expect(copy.x).toBeGreaterThan(code.x + code.width / 2);
    expect(copy.x + copy.width).toBeLessThan(code.x + code.width);
  });

  it.each([360, 1280])('has room for a balance of millions at %i px', async (widthPx) => {
    const { accountId, ...person } = await newPerson(house);
    await house.admin.addCredit(accountId, 12_345_678.9);
    await using visit = await Visit.begin(browser, house, { widthPx });
    await visit.openAs(person, '/');
    if (widthPx < 768) await visit.page.getByRole('button', { name: 'Pages' }).click();
    for (const amount of await visit.page.getByText('$12,345,688.90').all()) {
      const { ink, frame, word } = await amount.evaluate((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        const label = document.createRange();
        label.selectNodeContents(element.previousElementSibling ?? element);
        const framed = element.parentElement?.getBoundingClientRect();
        return { ink: text.getBoundingClientRect(), frame: framed, word: label.getBoundingClientRect() };
      });
      expect(ink.right).toBeLessThanOrEqual(frame?.right ?? 0);
      expect(word.right + 4 <= ink.left || word.bottom <= ink.top + 1).toBe(true);
    }
  });

  it('tells what is drawn and what is chosen also where the system chooses the colours', async () => {
    const person = await newPerson(house);
    await readOne(person);
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/usage');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('slider', { name: /^Charged by day and engine/ }).waitFor();
    const bar = page
      .getByRole('slider', { name: /^Charged by day and engine/ })
      .locator('div[data-engine]')
      .first();
    const chosen = ['30 days', 'Charged'].map((text) =>
      page.locator('label[data-active]').getByText(text, { exact: true }),
    );
    const marked = [bar, page.getByRole('link', { name: 'Usage and balance', exact: true }).first(), ...chosen];
    for (const each of marked) expect(await ground(each), String(each)).not.toBe(await ground(page.locator('main')));
    await visit.open('/account');
    const keeps = page.getByRole('switch', { name: /Keep the texts/ });
    await keeps.waitFor();
    const track = page.locator('.mantine-Switch-track').first();
    expect(await ground(track)).not.toBe(await ground(page.locator('main')));
    expect(await ground(page.locator('.mantine-Switch-thumb').first())).not.toBe(await ground(track));
  });

  it('is printed in dark ink on paper, without the navigation, from a dark screen too', async () => {
    const person = await newPerson(house);
    await readOne(person);
    await using visit = await Visit.begin(browser, house, { colorScheme: 'dark' });
    const { page } = visit;
    await visit.openAs(person, '/usage');
    await page.getByText('By day and engine').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 1047, height: 718 }); // A4 lying, with the browser's own margins
    expect(await page.getByRole('navigation', { includeHidden: true }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 718, height: 1047 });
    const ink = await page.getByRole('heading', { level: 1 }).evaluate((heading) => getComputedStyle(heading).color);
    const lightness = Math.max(...(ink.match(/\d+/g) ?? []).map(Number));
    expect(lightness).toBeLessThan(100);
    const table = page.getByRole('table', { name: 'By engine' });
    const [{ x, width }, place] = [await boxOf(table), await boxOf(page.locator('main'))];
    expect(x + width).toBeLessThanOrEqual(place.width);
  });

  it('shows in the middle of a button that it is at work, also to who wants no motion', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('slow');
    const rest = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      await rest.promise;
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Create key' });
    await button.click();
    const [outer, inner] = [await boxOf(button), await boxOf(button.locator('.mantine-Button-loader'))];
    expect(Math.abs(outer.x + outer.width / 2 - inner.x - inner.width / 2)).toBeLessThan(2);
    expect(Math.abs(outer.y + outer.height / 2 - inner.y - inner.height / 2)).toBeLessThan(2);
    rest.resolve();
    await page
      .getByText(/^sk-ocr-/)
      .first()
      .waitFor();
  });

  it('shows first steps until something was read, whatever becomes of the key', async () => {
    const person = await newPerson(house);
    await using visit = await Visit.begin(browser, house);
    await visit.openAs(person, '/');
    const steps = visit.page.getByRole('heading', { name: 'First steps' });
    await steps.waitFor();
    await readOne(person);
    await visit.page.reload();
    await visit.page.getByRole('grid').first().waitFor();
    expect(await steps.count()).toBe(0);
  });
});

/** One page, with a key that is revoked afterwards. */
async function readOne({ accountId }: Person): Promise<void> {
  const { api_key: key, key_id: keyId } = await house.admin.createKey({ accountId });
  expect((await house.callerWith(key).ocr(await pictureBody())).status).toBe(200);
  await house.admin.revokeKey(keyId);
}

function ground(locator: ReturnType<Page['locator']>): Promise<string> {
  return locator.evaluate((element) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor;
    }
    return 'none';
  });
}

async function boxOf(locator: ReturnType<Page['locator']>) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not to be seen');
  return box;
}
