import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { motionsDuring } from '../house/motion.ts';

const missing = missingChromium();
if (missing) console.warn(`What moves in the console, in a browser: skipped: ${missing}`);

let at: ConsoleHouse;
beforeAll(async () => {
  if (missing === null) at = await ConsoleHouse.open();
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('moves nothing for who wants no motion, and moves elsewhere', async () => {
  const page = await at.visit('/settings');
  const act = async () => {
    await page.getByRole('button', { name: 'Add a gateway' }).click();
    await page.getByRole('dialog').getByRole('switch').first().press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
  };
  expect(await motionsDuring(page, act)).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.reload();
  await page.getByRole('button', { name: 'Add a gateway' }).waitFor();
  expect(await motionsDuring(page, act)).toContainEqual(expect.stringMatching(/^transitionrun/));
  await page.context().close();
});
