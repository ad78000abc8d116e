import type { Page } from 'playwright-core';

/** Heads of tables that have less room than their words: an ellipsis stands where the name of a column should. */
export function cutHeaders(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('th')]
      .filter((head) => head.scrollWidth > head.clientWidth)
      .map((head) => `cut: ${head.textContent}`),
  );
}
