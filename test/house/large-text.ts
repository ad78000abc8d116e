import type { Page } from 'playwright-core';
import { unfit } from './unfit.ts';

/** What of a page is cut, runs out of its panel, lies on other text, or is beyond the window from side to side. */
export async function unreadable(page: Page): Promise<string[]> {
  return [...(await unfit(page)), ...(await page.evaluate(cutWords)), ...(await page.evaluate(overlaps))];
}

/** Words that take more room than they have, where no ellipsis says so and nothing scrolls. */
function cutWords(): string[] {
  const SCROLLS = new Set(['auto', 'scroll']);
  return [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
    const { clientWidth, clientHeight, scrollWidth, scrollHeight, innerText } = element;
    if (clientWidth <= 1 || !innerText?.trim()) return []; // not to be seen
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
    const holds = overflowX !== 'visible' || element.matches('.kit-panel');
    const isWide = holds && scrollWidth > clientWidth + 1 && !SCROLLS.has(overflowX) && textOverflow !== 'ellipsis';
    const isHigh = scrollHeight > clientHeight + 1 && (overflowY === 'hidden' || overflowY === 'clip');
    return isWide || isHigh ? [`cut: ${innerText.slice(0, 60)}`] : [];
  });
}

/** Texts of a page that lie on each other. What an ellipsis cuts is measured as if it were not, and left out. */
function overlaps(): string[] {
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  const seen: { readonly node: Node; readonly rect: DOMRect }[] = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const own = node.parentElement;
    if (own === null || getComputedStyle(own).textOverflow === 'ellipsis') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const top = document.elementFromPoint(rect.x + rect.width / 2, rect.y + rect.height / 2);
      if (rect.width > 2 && top !== null && own.contains(top)) seen.push({ node, rect });
    }
  }
  return seen.flatMap((one, at) =>
    seen.slice(at + 1).flatMap((other) => {
      const x = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const y = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      const isOn = one.node !== other.node && x > 3 && y > 0.4 * Math.min(one.rect.height, other.rect.height);
      return isOn ? [`overlap: ${one.node.nodeValue} / ${other.node.nodeValue}`] : [];
    }),
  );
}
