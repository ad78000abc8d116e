import type { Page } from 'playwright-core';

/** What moves on a page while `act` is done, and what its styles would move: one line each, of elements as they are then. */
export async function motionsDuring(page: Page, act: () => Promise<void>): Promise<string[]> {
  const ran = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const note = ({ type, target }: Event) => {
      if (target instanceof Element) seen.push(`${type}: ${target.tagName} ${target.getAttribute('class')}`);
    };
    for (const type of ['transitionrun', 'animationstart']) document.addEventListener(type, note, true);
    return seen;
  });
  await act();
  const styled = await page.evaluate(() => {
    const takesTime = (durations: string) => durations.split(',').some((each) => Number.parseFloat(each) > 0);
    return [...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
      const moves = takesTime(transitionDuration) || (animationName !== 'none' && takesTime(animationDuration));
      return moves ? [`styles: ${element.tagName} ${element.getAttribute('class')}`] : [];
    });
  });
  const running = await page.evaluate(() => document.getAnimations().map(({ id }) => `running: ${id}`));
  return [...new Set([...(await ran.jsonValue()), ...styled, ...running])];
}
