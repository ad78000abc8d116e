import type { Page } from 'playwright-core';
import { until } from './until.ts';

const WIDTHS_PX = [1440, 960, 360];
/** What has not found its place after so many frames does not find it. */
const MOST_LOOKS = 20;

/** Opens an address of the console in a page that shows it already, and waits until it has loaded. */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
  await page.locator('main :is(h1, h2)').first().waitFor();
  await until('the page has loaded', async () => (await page.locator('main [aria-busy=true]').count()) === 0);
}

/** What `look` finds wrong at addresses of the console, in wide and narrow windows: each with its address and width. */
export async function wrongInWidths(
  page: Page,
  paths: readonly string[],
  look: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await show(page, path);
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 900 });
      // Charts take their new width in a frame or two.
      let here = await look(page);
      for (let looks = 0; here.length > 0 && looks < MOST_LOOKS; looks += 1) here = await look(page);
      found.push(...here.map((each) => `${path} at ${width}: ${each}`));
    }
  }
  return found;
}
