import type { Page } from 'playwright-core';
import { cutHeaders } from './cut-headers.ts';
import { cutTexts } from './cut-texts.ts';

/** What does not fit a page as it is: heads of tables and texts on cards that are cut, and more than the window holds from side to side. */
export async function unfit(page: Page): Promise<string[]> {
  const widePx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const cut = [...(await cutHeaders(page)), ...(await cutTexts(page))];
  return [...cut, ...(widePx > 0 ? [`scrolls sideways by ${widePx} px`] : [])];
}
