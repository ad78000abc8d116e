import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingChromium, openChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { wrongInWidths } from '../house/console-walk.ts';
import { unreadable } from '../house/large-text.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();

const PATHS = [
  '/',
  '/engines',
  '/engines/demo-borealis',
  '/engines/demo-borealis?tab=requests',
  '/engines/demo-borealis?tab=settings',
  '/engines?view=table',
  '/engines?view=compare',
  '/requests',
  '/requests?request=:request',
  '/queue',
  '/webhooks',
  '/accounts',
  '/accounts?tab=audit',
  '/accounts?account=:account',
  '/alerts',
  '/settings',
];
const USUAL_PX = 16;
const ROW_PX = 2 * 28;
/** A walk through all pages, in each width. */
const WALK_MS = 240_000;

describe.skipIf(missing !== null)(`text of twice the usual size${missing ? ` (${missing})` : ''}`, () => {
  let at: ConsoleHouse;
  let browser: Browser;
  let request: string;
  beforeAll(async () => {
    browser = await openChromium({ textPx: 2 * USUAL_PX });
    at = await ConsoleHouse.open({}, browser);
    await at.house.admin.seedDemo({ days: 2, seed: 'large text' });
    request = (await at.sender.caller.ocr(await pictureBody())).body.request_id;
  });
  afterAll(async () => {
    await at?.[Symbol.asyncDispose]();
    await browser?.close();
  });

  it('can be read on every page', { timeout: WALK_MS }, async () => {
    const page = await at.visit('/');
    const paths = PATHS.map((path) => path.replace(':request', request).replace(':account', at.sender.accountId));
    expect(await wrongInWidths(page, paths, unreadable)).toEqual([]);
    await page.context().close();
  });

  it('has rows of twice the height, of which the last can be reached', async () => {
    const page = await at.visit('/requests');
    const list = page.getByRole('grid');
    await list.getByRole('row').nth(1).waitFor();
    expect(await heightPx(list.getByRole('row').nth(1))).toBe(ROW_PX);
    await list.press('End');
    await until('the marked row is seen whole', () => list.locator('[aria-selected=true]').evaluate(isSeenWhole));
    await page.context().close();
  });

  it('leaves a list some rows on a phone', async () => {
    const page = await at.visit('/requests');
    await page.setViewportSize({ width: 360, height: 740 });
    const scroller = page.getByRole('grid').locator('..');
    await scroller.waitFor();
    expect(await heightPx(scroller)).toBeGreaterThan(3 * ROW_PX);
    await page.context().close();
  });
});

async function heightPx(place: Locator): Promise<number> {
  return (await place.boundingBox())?.height ?? 0;
}

/** Whether a row is within what its list shows, below the header. */
function isSeenWhole(row: Element): boolean {
  const list = row.closest('[role=grid]');
  const place = list?.parentElement?.getBoundingClientRect();
  const header = list?.querySelector('thead')?.getBoundingClientRect();
  if (!place || !header) return false;
  const { top, bottom } = row.getBoundingClientRect();
  return top >= header.bottom - 1 && bottom <= place.bottom + 1;
}
