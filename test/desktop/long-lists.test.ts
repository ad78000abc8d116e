import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { newId } from '../house/ids.ts';
import { makeManyAccounts } from '../house/many-accounts.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`The console's long lists in a browser: skipped: ${missing}`);

const STORED = 20_000;
/** As far as the lists are scrolled: each page is a call of its own. */
const SCROLLED_TO = 1500;
/** What a window of 900 pixels shows, and what is drawn beyond its edges. */
const MOST_DRAWN = 60;

let at: ConsoleHouse;

beforeAll(async () => {
  if (missing !== null) return;
  at = await ConsoleHouse.open();
  const url = at.house.databaseUrl;
  await makeManyAccounts(url, STORED);
  await runSql(
    url,
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, finished_at)
     select $2 || lpad(n::text, 16, '0'), $3, 'reader', 'reader', 'sync', '{}', 'succeeded', 'succeeded', 0, 5, now()
     from generate_series(1, $1::int) n`,
    [STORED, newId('ocr_').slice(0, -16), at.sender.accountId],
  );
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing).each([
  ['requests', '/requests?time=any', 'Requests, newest first'],
  ['accounts', '/accounts', 'Accounts'],
  ['accounts, dearest first', '/accounts?sort=-cost', 'Accounts'],
])('draws a window of many thousand %s', async (_, path, label) => {
  const page = await at.visit(path);
  const grid = page.getByRole('grid', { name: label });
  await grid.locator('tbody tr[aria-rowindex]').first().waitFor();
  const seen: number[] = [];
  const listed = await until(`${SCROLLED_TO} rows are loaded`, async () => {
    seen.push(await grid.locator('tbody tr').count());
    await toTheEnd(page, label);
    const rows = Number(await grid.getAttribute('aria-rowcount')) - 1;
    return rows >= SCROLLED_TO && rows;
  });
  expect(listed).toBeLessThan(STORED); // page by page
  expect(Math.max(...seen)).toBeLessThan(MOST_DRAWN);
  await page.context().close();
});

it.skipIf(missing)('takes keys to the end of twenty thousand rows and back, with a window of them drawn', async () => {
  const page = await at.visit('/');
  // All in one answer: what is long is the list, not the way to its end.
  await page.routeWebSocket(/.*/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(lengthened(String(message))));
  });
  await page.goto(page.url().replace(/#.*/, '#/requests?time=any'));
  await page.reload();
  const grid = page.getByRole('grid', { name: 'Requests, newest first' });
  await page.getByText(`${STORED.toLocaleString('en')} requests`, { exact: true }).waitFor();
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(STORED + 1));
  await grid.focus();
  for (const [key, row] of [
    ['End', STORED],
    ['PageUp', STORED - 10],
    ['j', STORED - 9],
    ['Home', 1],
    ['ArrowDown', 2],
  ] as const) {
    await page.keyboard.press(key);
    const marked = grid.locator(`tbody tr[aria-rowindex="${row + 1}"][aria-selected=true]`);
    await marked.getByText(idOfRow(row), { exact: true }).waitFor();
    await until(`the row is seen after ${key}`, () => grid.evaluate(isMarkedRowSeen));
    expect(await grid.locator('tbody tr').count()).toBeLessThan(MOST_DRAWN);
  }
  await page.context().close();
});

it.skipIf(missing)(
  'shows the row that keys have moved to, below as above, and one that its address opens',
  async () => {
    const page = await at.visit('/requests?time=any');
    const grid = page.getByRole('grid', { name: 'Requests, newest first' });
    await grid.locator('tbody tr[aria-rowindex]').first().waitFor();
    await grid.focus();
    for (const key of ['j', 'k']) {
      for (let times = 0; times < 45; times++) await page.keyboard.press(key);
      await until(`the row is seen after ${key}`, () => grid.evaluate(isMarkedRowSeen));
    }
    const DEEP = 'select id from ocr_request order by id desc offset 79 limit 1'; // of a page of a hundred
    const [deep] = await readSql<{ id: string }>(at.house.databaseUrl, DEEP);
    await page.goto(page.url().replace(/#.*/, `#/requests?time=any&request=${deep?.id}`));
    await page.getByRole('complementary', { name: `request ${deep?.id}` }).waitFor();
    await grid.locator('tbody tr[aria-rowindex="81"][aria-selected=true]').waitFor();
    await until('the row of its address is seen', () => grid.evaluate(isMarkedRowSeen));
    await page.context().close();
  },
);

it.skipIf(missing)(
  'loads the pages of a long request by the hundred, each with its source and how sure that was',
  async () => {
    const { body } = await at.sender.caller.ocr(await pictureBody('reader'));
    const id = body.request_id;
    const url = at.house.databaseUrl;
    await runSql(
      url,
      `insert into ocr_page (request_id, number, engine, source, state, confidence)
     select $1, n, 'reader', case when n = 2 then 'text_layer' else 'engine' end, 'read', case when n = 3 then 0.5 end
     from generate_series(2, 230) n`,
      [id],
    );
    await runSql(url, 'update ocr_request set pages = 230 where id = $1', [id]);
    const page = await at.visit(`/requests?request=${id}`);
    const panel = page.getByRole('complementary', { name: `request ${id}` });
    await panel.getByRole('heading', { name: 'First 100 pages' }).waitFor();
    const [, second, third] = (await panel.innerText()).split(/Page (?=[123]\n)/).slice(1);
    expect(second).toContain('text in the file');
    expect(third).toContain('reader, confidence 50.0 %');
    const more = panel.getByRole('button', { name: 'Show more pages' });
    await more.click();
    await panel.getByRole('heading', { name: 'First 200 pages' }).waitFor();
    await more.click();
    await panel.getByRole('heading', { name: '230 pages' }).waitFor();
    await panel.getByText('Page 230', { exact: true }).waitFor();
    expect(await more.count()).toBe(0);
    await page.context().close();
  },
);

function idOfRow(row: number): string {
  return `ocr_${String(10 * STORED - row).padStart(26, '0')}`;
}

/** An answer with a page of requests, with as many as are stored. */
function lengthened(message: string): string {
  const told = JSON.parse(message) as { output?: { data?: { requests?: { nodes: object[] } } } };
  const page = told.output?.data?.requests;
  const like = page?.nodes[0];
  if (!page || !like) return message;
  const nodes = Array.from({ length: STORED }, (_, place) => ({ ...like, id: idOfRow(place + 1) }));
  Object.assign(page, { nodes, pageInfo: { endCursor: nodes.at(-1)?.id, hasNextPage: false } });
  return JSON.stringify(told);
}

/** Whether the marked row stands between the header and the lower edge. */
function isMarkedRowSeen(grid: Element): boolean {
  const edgesOf = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  const row = edgesOf(grid.querySelector('tr[aria-selected=true]'));
  return row.top >= edgesOf(grid.querySelector('thead')).bottom && row.bottom <= edgesOf(grid.parentElement).bottom;
}

/** Scrolls to the end of what is loaded, where the next page is asked for. */
async function toTheEnd(page: Page, label: string): Promise<void> {
  await page.getByRole('grid', { name: label }).evaluate(({ parentElement: scroller }) => {
    scroller?.scrollTo({ top: scroller.scrollHeight });
  });
}
