import type { Page } from 'playwright-core';
import { barriers } from './barriers.ts';
import { unfit } from './unfit.ts';

const SCHEMES = ['light', 'dark'] as const;
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 360, height: 740 };
/** Between both ends of what is promised nothing may be cut or scroll sideways. */
const BETWEEN = { width: 960, height: 600 };

/**
 * What is wrong with a page in any scheme and width. A look of axe takes a second: it has one in each scheme and one at
 * each end, and by turns of `nth` the light one is the wide one or the narrow one. The page is left wide.
 */
export async function flaws(page: Page, nth: number, part = 'html'): Promise<string[]> {
  const found: string[] = [];
  for (const [at, size] of [WIDE, NARROW].entries()) {
    const colorScheme = SCHEMES[(nth + at) % 2] ?? 'light';
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    const here = await barriers(page, part, { all: true });
    if (part === 'html') here.push(...(await unfit(page)));
    found.push(...here.map((each) => `${colorScheme} at ${size.width}: ${each}`));
  }
  if (part === 'html') {
    await page.setViewportSize(BETWEEN);
    found.push(...(await unfit(page)).map((each) => `at ${BETWEEN.width}: ${each}`));
  }
  await page.setViewportSize(WIDE);
  return found;
}
