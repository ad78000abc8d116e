import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { fails } from '../house/engine-answers.ts';
import { flaws } from '../house/looks.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { within } from '../house/within.ts';

const missing = missingChromium();
if (missing) console.warn(`The console's views in a browser: skipped: ${missing}`);

/** A walk through all views with a thorough look at each. */
const WALK_MS = 600_000;

interface View {
  readonly path: string;
  /** What stands there once it is full. */
  readonly sign: (page: Page) => { waitFor(): Promise<void> };
}

const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first();
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first();
const tab = (name: string) => (page: Page) => page.getByRole('tab', { name, selected: true });
const panel = (name: RegExp) => (page: Page) =>
  page.getByRole('complementary', { name }).getByRole('heading', { level: 3 }).first();

/** Pages beside their first views: tabs, panels and orders. */
const VIEWS: readonly View[] = [
  { path: '/engines/broken?tab=errors', sign: tab('Errors') },
  { path: '/engines/broken?tab=uptime', sign: tab('Uptime') },
  { path: '/engines/broken?tab=requests', sign: tab('Requests') },
  { path: '/engines/reader?tab=money', sign: tab('Money') },
  { path: '/engines/reader?tab=settings', sign: tab('Settings') },
  { path: '/engines/nowhere', sign: text(/could not be loaded/) },
  { path: '/accounts?tab=costs', sign: heading('Pending costs (1)') },
  { path: '/accounts?account=:account', sign: panel(/^account/) },
  { path: '/requests?request=:request', sign: panel(/^request/) },
  { path: '/requests?request=:failed', sign: panel(/^request/) },
  { path: '/requests?call=:call', sign: heading(/^Refused with/) },
  { path: '/requests?order=slowest', sign: (page) => page.getByRole('row').nth(1) },
  { path: '/requests?engine=nowhere', sign: text('No request matches these filters') },
  { path: '/engines?wall=1', sign: (page) => page.getByRole('article').first() },
  { path: '/?wall=1', sign: heading('Needs attention') },
];

/** What opens over a page, and where. */
const OVERLAYS = [
  { path: '/', keys: 'Control+k' },
  { path: '/', keys: '?' },
  { path: '/alerts', button: 'New rule' },
  { path: '/alerts', button: 'New channel' },
  { path: '/alerts', button: 'Mute all' },
  { path: '/accounts', button: 'New account' },
  { path: '/accounts?account=:account', button: 'Add credit' },
  { path: '/accounts?account=:account', button: 'Correct' },
  { path: '/accounts?account=:account', button: 'New key' },
  { path: '/accounts?account=:account', button: 'Revoke' },
  { path: '/accounts?tab=costs', button: 'Enter cost' },
  { path: '/requests?request=:request', button: 'Refund' },
  { path: '/requests', button: 'Custom range' },
  { path: '/engines/reader?tab=settings', button: 'Disable' },
  { path: '/settings', button: 'Add a gateway' },
] as const;

let at: ConsoleHouse;
const ids: Record<string, string> = {};

beforeAll(async () => {
  if (missing !== null) return;
  at = await ConsoleHouse.open({ engines: { reader: {}, broken: {} } });
  const { sender, house } = at;
  ids['account'] = sender.accountId;
  ids['request'] = (await sender.caller.ocr(await pictureBody('reader'))).body.request_id;
  house.engines.script('broken', fails(401, 'Incorrect API key provided', 'invalid_api_key'));
  ids['failed'] = (await sender.caller.ocr(await pictureBody('broken'))).headers['x-request-id'] ?? '';
  house.engines.reset();
  await runSql(house.databaseUrl, `update attempt set billing = 'pending' where request_id = $1`, [ids['failed']]);
  ids['call'] = (await sender.caller.ocr(await pictureBody('nobody'))).headers['x-request-id'] ?? '';
  const KEPT = `select id from refused_call where id = '${ids['call'].replace(/\W/g, '')}'`;
  await until('the refused call is kept', async () => (await readSql(house.databaseUrl, KEPT)).length === 1);
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)(
  'has no barriers in any tab, panel and order, light and dark, in all widths',
  { timeout: WALK_MS },
  async () => {
    const page = await at.visit('/');
    const found: string[] = [];
    for (const [nth, { path, sign }] of VIEWS.entries()) {
      await show(page, path);
      await sign(page).waitFor();
      found.push(...(await flaws(page, nth)).map((each) => `${path}, ${each}`));
    }
    expect(found).toEqual([]);
    await page.context().close();
  },
);

it.skipIf(missing)(
  'has no barriers in what opens over a page, light and dark, wide and narrow',
  { timeout: WALK_MS },
  async () => {
    const page = await at.visit('/');
    const found: string[] = [];
    for (const [nth, overlay] of OVERLAYS.entries()) {
      await show(page, overlay.path);
      if ('keys' in overlay) await page.keyboard.press(overlay.keys);
      else await page.getByRole('button', { name: overlay.button, exact: true }).first().click();
      const opened = page.locator('[role=dialog], [role=menu]').first();
      await opened.waitFor();
      const here = await flaws(page, nth, '[role=dialog], [role=menu]');
      found.push(...here.map((each) => `${Object.values(overlay).join(', ')}, ${each}`));
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
    await page.context().close();
  },
);

async function show(page: Page, path: string): Promise<void> {
  const address = path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? '');
  await within('the address has changed', page.evaluate(`location.hash = ${JSON.stringify(address)}`));
  await until('the page has loaded', async () => (await page.locator('main [aria-busy=true]').count()) === 0);
}
