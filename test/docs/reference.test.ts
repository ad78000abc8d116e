import { beforeAll, describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { type House } from '../house/house.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { WatchedPage } from '../house/watched-page.ts';

const missing = missingChromium();
if (missing) console.log(`test/docs/reference.test.ts: skipped, ${missing}`);

describe.skipIf(missing !== null)('the API reference in a browser', () => {
  let house: House;
  beforeAll(async () => {
    house = await sharedHouse();
  });

  it('lists every operation before its script has come, and without it', async () => {
    const text = await (await fetch(`${house.product.url}/docs/`)).text();
    const contract = await (await fetch(`${house.product.url}/openapi.json`)).json();
    const listed = [...text.matchAll(/<b>(\w+)<\/b> ([^<]+)<\/a>/g)];
    const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
    const operations = Object.entries<Record<string, unknown>>(contract.paths).flatMap(([path, of]) =>
      METHODS.filter((method) => method in of).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.length).toBeGreaterThan(10);
    expect(listed.map(([, method, path]) => `${method} ${path}`)).toEqual(operations);
  });

  it.each([1440, 360])('lists every operation without a barrier or a complaint, %i wide', async (width) => {
    await using watched = await WatchedPage.open(await sharedChromium(), {
      scheme: 'light',
      size: { width, height: 900 },
    });
    const { page } = watched;
    await page.goto(`${house.product.url}/docs/`);
    const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
    await page.locator('.opblock').nth(5).waitFor();
    for (const link of await links.all()) {
      expect(await page.locator(`[id="${(await link.getAttribute('href'))?.slice(1)}"]`).count()).toBe(1);
    }
    expect(await watched.barriers()).toEqual([]);
    await page
      .getByRole('button', { name: /^post \/v1\/ocr$/i })
      .first()
      .click();
    await page.getByText('Responses', { exact: true }).first().waitFor();
    expect(await watched.barriers()).toEqual([]);
    expect(watched.complaints).toEqual([]);
    expect([...watched.origins]).toEqual([house.product.url]);
  });
});
