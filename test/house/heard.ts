import type { Page } from 'playwright-core';

/** What the page has said last of a list to those who do not see it. */
export async function heard(page: Page): Promise<string> {
  const news = page.locator('output.kit-visually-hidden');
  return (await news.count()) === 0 ? '' : (await news.innerText()).trim();
}
