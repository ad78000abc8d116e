import type { Page } from 'playwright-core';

/**
 * Texts on cards, and marks beside a name in a row, that go beyond what they stand in or are cut by it. A text with an
 * ellipsis of its own is none: it is a name of any length.
 */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const own = text.parentElement;
      const around = own?.closest('article, [class*="demo"]');
      const box = around?.closest('article, td');
      if (!own || !around || !box || getComputedStyle(own).textOverflow === 'ellipsis') continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const beyondPx = range.getBoundingClientRect().right - box.getBoundingClientRect().right;
      const cutPx = own.clientWidth === 0 ? 0 : own.scrollWidth - own.clientWidth; // of what is inline there is no width
      if (Math.max(beyondPx, cutPx) >= 1) found.push(`cut: ${text.nodeValue}`);
    }
    return found;
  });
}
