import type { Page } from 'playwright-core';

/**
 * Heads of tables that have less room than their words: an ellipsis stands where the name of a column should. Each is looked
 * at as it is, and sorted by it, with the arrow; the tables stay sorted by their last columns.
 */
export function cutHeaders(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const cut = (): string[] =>
      [...document.querySelectorAll('th')]
        .filter((head) => head.scrollWidth > head.clientWidth)
        .map((head) => `cut: ${head.textContent}`);
    const found = new Set(cut());
    const buttons = () => [...document.querySelectorAll<HTMLElement>('th button')];
    for (let nth = 0; nth < buttons().length; nth += 1) {
      buttons()[nth]?.click();
      await new Promise((drawn) => requestAnimationFrame(drawn));
      for (const head of cut()) found.add(head);
    }
    return [...found];
  });
}
