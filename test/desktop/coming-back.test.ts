import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { newId } from '../house/ids.ts';
import { makeManyAccounts } from '../house/many-accounts.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`Coming back to lists of the console, in a browser: skipped: ${missing}`);

const STORED = 600;
/** More than two pages of a list. */
const DEEP = 250;

let at: ConsoleHouse;

beforeAll(async () => {
  if (missing !== null) return;
  at = await ConsoleHouse.open();
  const url = at.house.databaseUrl;
  await makeManyAccounts(url, STORED);
  const { request_id: id } = (await at.sender.caller.ocr(await pictureBody())).body;
  await runSql(
    url,
    `insert into ocr_request (id, account_id, key_id, requested_engine, engine, mode, effective, status, outcome, pages, hold, cost, finished_at)
     select $2 || lpad(n::text, 16, '0'), account_id, key_id, 'reader', 'reader', 'sync', effective, 'succeeded', 'succeeded', 1, 0, 5, now()
     from generate_series(1, $1::int) n, ocr_request where id = $3`,
    [STORED, newId('ocr_').slice(0, -16), id],
  );
  await runSql(
    url,
    `insert into webhook_delivery (id, account_id, request_id, url, origin, event, is_failure, status, attempt, finished_at)
     select 'whd_' || substr(id, 5), account_id, id, 'https://hooks.example.com/', 'https://hooks.example.com', 'ocr.completed',
       false, 'failed', 4, now() from ocr_request`,
  );
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)(
  'comes back from an account to the place in the list of requests, which goes on to follow',
  async () => {
    const page = await at.visit('/requests?time=any');
    const grid = page.getByRole('grid', { name: 'Requests, newest first' });
    const row = await goDeep(page, grid);
    const id = await row.locator('code').innerText();
    await row.click();
    await page
      .getByRole('complementary', { name: `request ${id}` })
      .getByRole('link', { name: /@/ })
      .first()
      .click();
    await page.getByRole('grid', { name: 'Accounts' }).waitFor();
    const { body } = await at.sender.caller.ocr(await pictureBody());
    await page.goBack();
    await grid.locator('tbody tr[aria-selected=true]').waitFor();
    await seen(grid);
    expect(await rowsOf(grid)).toBeGreaterThan(DEEP);
    await page.getByRole('button', { name: 'Close the request' }).click();
    await page.getByRole('button', { name: /1 new/ }).click();
    await grid.getByText(body.request_id).waitFor();
    await page.context().close();
  },
);

it.skipIf(missing).each([['accounts', '/accounts', 'Accounts', 'Show them']] as const)(
  'comes back to the place in the list of %s',
  async (_, path, name, link) => {
    const page = await at.visit(path);
    const grid = page.getByRole('grid', { name, exact: true });
    const row = await goDeep(page, grid);
    await row.click();
    await page.getByRole('complementary').getByRole('link', { name: link }).first().click();
    await page.getByRole('grid', { name: 'Requests, newest first' }).waitFor();
    await page.goBack();
    await grid.locator('tbody tr[aria-selected=true]').waitFor();
    await seen(grid);
    expect(await rowsOf(grid)).toBeGreaterThan(DEEP);
    await page.context().close();
  },
);

it.skipIf(missing).each([
  ['an engine’s requests', '/engines/reader?tab=requests', 'Requests'],
  ['failed webhooks', '/webhooks', 'Failed webhooks, newest first'],
])('comes back from a request to the place in the list of %s', async (_, path, name) => {
  const page = await at.visit(path);
  const grid = page.getByRole('grid', { name, exact: true });
  const row = await goDeep(page, grid);
  await row.click();
  await page.getByRole('main', { name: /^ocr_/ }).waitFor();
  await page.goBack();
  await grid.locator('tbody tr[aria-selected=true]').waitFor();
  await seen(grid);
  expect(await rowsOf(grid)).toBeGreaterThan(DEEP);
  await page.context().close();
});

it.skipIf(missing)('begins a list anew for who comes to it by a link', async () => {
  const page = await at.visit('/accounts');
  const grid = page.getByRole('grid', { name: 'Accounts' });
  await goDeep(page, grid);
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await grid.locator('tbody tr[aria-rowindex="2"]').waitFor();
  expect(await rowsOf(grid)).toBe(100);
  await page.context().close();
});

/** Scrolls until more rows are loaded than two pages have, and answers one of the last. */
async function goDeep(page: Page, grid: Locator): Promise<Locator> {
  await grid.locator('tbody tr[aria-rowindex]').first().waitFor();
  await until('the list is deep', async () => {
    await grid.evaluate(({ parentElement: scroller }) => scroller?.scrollTo({ top: scroller.scrollHeight }));
    return (await rowsOf(grid)) > DEEP;
  });
  await grid.evaluate(
    ({ parentElement: scroller }, rows) => scroller?.scrollTo({ top: scroller.scrollHeight * rows }),
    0.8,
  );
  const middle = grid.locator('tbody tr[aria-rowindex]').nth(5);
  await middle.waitFor();
  await page.waitForTimeout(200);
  return grid.locator(`tbody tr[aria-rowindex="${await middle.getAttribute('aria-rowindex')}"]`);
}

async function rowsOf(grid: Locator): Promise<number> {
  return Number(await grid.getAttribute('aria-rowcount')) - 1;
}

/** Waits until the marked row stands between the header and the lower edge. */
async function seen(grid: Locator): Promise<void> {
  await until('the marked row is seen', () =>
    grid.evaluate((table) => {
      const edgesOf = (element: Element | null | undefined) =>
        element?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      const row = edgesOf(table.querySelector('tr[aria-selected=true]'));
      return (
        row.top >= edgesOf(table.querySelector('thead')).bottom && row.bottom <= edgesOf(table.parentElement).bottom
      );
    }),
  );
}
