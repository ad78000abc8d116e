import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { cutHeaders } from '../house/cut-headers.ts';
import { fails } from '../house/engine-answers.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`How the console draws, in a browser: skipped: ${missing}`);

const BROKEN = ['one', 'two', 'three', 'four', 'five'];
/** After so many failures in a row an engine takes no requests for a while. */
const FAILURES = 6;
/** The last row that is to be seen without scrolling. */
const THIRD = 2;

let at: ConsoleHouse;
let requestId: string;

beforeAll(async () => {
  if (missing !== null) return;
  at = await ConsoleHouse.open({ engines: Object.fromEntries(['reader', ...BROKEN].map((id) => [id, {}])) });
  requestId = (await at.sender.caller.ocr(await pictureBody())).body.request_id;
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('has the latest requests on the first screen, however much needs attention', async () => {
  const { caller } = at.sender;
  for (const id of BROKEN) {
    at.house.engines.script(id, fails(500, 'out of order'));
    for (let nth = 0; nth < FAILURES; nth += 1) await caller.ocr(await pictureBody(id));
    await caller.ocr(await pictureBody(`${id}-that-nobody-has`));
  }
  await at.house.stranger.ocr(await pictureBody());
  const page = await at.visit('/');
  const attention = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  await until('five engines are down', async () => (await attention.count()) >= BROKEN.length);
  await page.getByRole('heading', { name: 'Refused calls' }).waitFor();
  await page.getByRole('img', { name: /^Runs and engine errors/ }).waitFor();
  const row = page
    .getByRole('grid', { name: 'Requests' })
    .getByRole('row')
    .nth(1 + THIRD);
  const [box, main] = [await row.boundingBox(), await page.locator('main').boundingBox()];
  if (!box || !main) throw new Error('the third row is not there');
  expect(box.y + box.height).toBeLessThanOrEqual(main.y + main.height);
  await page.context().close();
});

it.skipIf(missing)('ends the drawings of an engine’s card where its words end', async () => {
  const page = await at.visit('/engines');
  const card = page.getByRole('article', { name: 'Scripted reader' });
  const edges: (number | null)[] = [];
  const parts = [card.locator('footer'), card.getByRole('listbox'), card.getByRole('img', { name: /^p95 per page/ })];
  for (const part of parts) {
    const box = await part.boundingBox();
    edges.push(box && Math.round(box.x + box.width));
  }
  expect(new Set(edges).size).toBe(1);
  await page.context().close();
});

it.skipIf(missing)('says once how long each part of a request took, and keeps each time in a line', async () => {
  const BEFORE = `update ocr_request set created_at = created_at - interval '12 minutes 55 seconds' where id = $1`;
  await runSql(at.house.databaseUrl, BEFORE, [requestId]);
  const page = await at.visit(`/requests?time=any&request=${requestId}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const why = page.getByRole('region', { name: 'Why is it slow?' });
  const QUEUE = /Queue\s+\d+ min \d+ s/;
  await why.getByText('Queue', { exact: true }).waitFor();
  expect(await why.innerText()).toMatch(QUEUE);
  expect(await timeline.innerText()).not.toMatch(QUEUE);
  const times = timeline.getByRole('time');
  expect(await times.last().innerText()).toMatch(/^\+\d+ min \d+ s$/);
  const lines = await times.evaluateAll((all) =>
    all.map((time) => {
      const range = document.createRange();
      range.selectNodeContents(time);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    }),
  );
  expect(new Set(lines)).toEqual(new Set([1]));
  await page.context().close();
});

it.skipIf(missing)('has room for the heads of tables also where an arrow stands beside them', async () => {
  const found: Record<string, string[]> = {};
  for (const path of ['/accounts', '/engines?view=table', '/engines?view=compare']) {
    const page = await at.visit(path);
    await page.locator('th').first().waitFor();
    found[path] = await cutHeaders(page);
    await page.context().close();
  }
  expect(found).toEqual({ '/accounts': [], '/engines?view=table': [], '/engines?view=compare': [] });
});

it.skipIf(missing)('shows sums of millions whole, and buttons apart from one another', async () => {
  await at.house.admin.addCredit(at.sender.accountId, 12_345_678.9);
  await runSql(
    at.house.databaseUrl,
    `insert into audit_entry (at, via, action, subject, details, outcome)
     values (now(), 'command line', 'something', 'x', '{}', 'done')`,
  );
  const page = await at.visit(`/accounts?account=${at.sender.accountId}`);
  for (const path of ['', '?account=']) {
    await page.evaluate((search) => {
      location.hash = `/accounts${search}`;
    }, path);
    const cell = page.getByRole('gridcell', { name: /^\$12,345,68/ });
    await cell.waitFor();
    expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  }
  await page.evaluate(() => {
    location.hash = '/accounts?tab=audit';
  });
  const [left, right] = await Promise.all(
    ['Show any time', 'Export CSV'].map((name) => page.getByRole('button', { name }).boundingBox()),
  );
  expect((right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0)).toBeGreaterThanOrEqual(8);
  await page.context().close();
});

it.skipIf(missing)('warns by red of what cannot be taken back, light and dark', async () => {
  const page = await at.visit(`/accounts?account=${at.sender.accountId}`);
  const revoke = page.getByRole('button', { name: 'Revoke' }).first();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const colour = await revoke.evaluate((button) => getComputedStyle(button).color);
    const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
    expect(red - Math.max(green, blue), `${colorScheme}: ${colour}`).toBeGreaterThan(80);
  }
  await page.context().close();
});

it.skipIf(missing)('writes how many runs its bars stand for, however few there were', async () => {
  const page = await at.visit('/settings');
  await page.evaluate(() => {
    const written: string[] = [];
    Object.assign(window, { written });
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      written.push(text);
      fillText.call(this, text, ...rest);
    };
    location.hash = '/engines/reader';
  });
  const written = () => page.evaluate(() => (window as unknown as { written: string[] }).written); // set above
  await until('the axis of runs is drawn', async () => (await written()).includes('0'));
  expect((await written()).filter((text) => /^[1-9]\d*$/.test(text))).not.toEqual([]);
  await page.context().close();
});

it.skipIf(missing)('asks for the time of quiet hours as it is written everywhere', async () => {
  const page = await at.visit('/alerts');
  const hours = page.getByRole('region', { name: 'Quiet hours' });
  await hours.getByRole('switch').click();
  const from = hours.getByRole('textbox', { name: 'From' });
  await from.waitFor();
  expect(await from.inputValue()).toBe('22:00');
  expect(await from.getAttribute('type')).not.toBe('time');
  await from.fill('9:3');
  expect(await hours.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await from.fill('21:30');
  await hours.getByRole('button', { name: 'Save' }).click();
  await hours.getByText(/21:30/).waitFor();
  await page.context().close();
});
