import type { openChromium } from '../test/house/chromium.ts';
import type { WebConsole } from '../test/house/web-console.ts';

export type Browser = Awaited<ReturnType<typeof openChromium>>;
type BrowserContext = Awaited<ReturnType<Browser['newContext']>>;
export type Page = Awaited<ReturnType<BrowserContext['newPage']>>;

export const WINDOW = { viewport: { width: 1440, height: 900 } };

/** A browser without a cache that has shown the secret of this start. */
export async function enter(browser: Browser, web: WebConsole): Promise<BrowserContext> {
  const context = await browser.newContext(WINDOW);
  await context.request.get(await web.address());
  return context;
}

/** What must be there before a page is of use: a text, and at least so many elements. */
export interface Useful {
  readonly text: string;
  readonly elements: string;
  readonly atLeast: number;
}

/** From the call of a page until the picture with what is useful of it, by the page's own clock. */
export async function usefulPaintMs(context: BrowserContext, url: string, useful: Useful): Promise<number> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' }); // what is useful may be there before everything is
  const at = await page.waitForFunction(({ text, elements, atLeast }) => {
    const isThere = document.body?.innerText.includes(text) && document.querySelectorAll(elements).length >= atLeast;
    return isThere ? new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now()))) : 0;
  }, useful);
  return Number(await at.jsonValue());
}
