import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';

const missing = missingChromium();
if (missing) console.warn(`What is not of the time range says so, in a browser: skipped: ${missing}`);

let at: ConsoleHouse;
beforeAll(async () => {
  if (missing === null) at = await ConsoleHouse.open();
});
afterAll(() => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('says of what does not go by the chosen time range which time it is of', async () => {
  const page = await at.visit('/');
  await page.getByRole('heading', { name: /^Latest requests of any time/ }).waitFor();
  await page.evaluate(`location.hash = '/engines'`);
  const card = page.getByRole('article').first();
  await card.getByText('24 h', { exact: true }).waitFor();
  const [line, span] = await Promise.all([
    card.getByRole('img').first().boundingBox(),
    card.getByText('24 h', { exact: true }).boundingBox(),
  ]);
  expect(span?.y).toBeLessThan(line?.y ?? 0);
  await page.context().close();
});
