import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { says } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { type House, type HouseAccount, openHouse } from '../house/house.ts';
import { flaws } from '../house/looks.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { type Product } from '../house/product.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { WatchedPage } from '../house/watched-page.ts';
import { WebConsole } from '../house/web-console.ts';
import { within } from '../house/within.ts';

const missing = missingChromium();
if (missing) console.log(`test/desktop/console.test.ts: skipped, ${missing}`);

const PATHS = [
  '/',
  '/engines',
  '/engines/reader',
  '/engines?view=table',
  '/engines?view=compare',
  '/requests',
  '/queue',
  '/webhooks',
  '/accounts',
  '/accounts?tab=audit',
  '/alerts',
  '/settings',
];
/** With traffic in nearly every hour. */
const DEMO_ENGINE = 'demo-borealis';
const PREVIEW = 'query ($rule: AlertRuleInput!) { alertPreview(rule: $rule) { days fired { at } } }';
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script> & **bold**';

describe.skipIf(missing !== null)('the built console in a browser', () => {
  let house: House;
  let operator: HouseAccount;
  let shell: WebConsole;
  let browser: Browser;
  /** The gateway, after it was stopped. */
  let again: Product | null = null;

  beforeAll(async () => {
    house = await openHouse();
    operator = await house.account({ scopes: ['operator', 'ocr:write', 'ocr:read', 'usage:read'] });
    await house.admin.seedDemo({ days: 2, seed: 'console' });
    await read('Invoice 4711');
    shell = await WebConsole.start({ url: house.product.url, token: operator.apiKey });
    browser = await sharedChromium();
  });

  afterAll(async () => {
    await shell?.[Symbol.asyncDispose]();
    await again?.[Symbol.asyncDispose]();
    await house?.[Symbol.asyncDispose]();
  });

  async function read(text: string): Promise<string> {
    house.engines.script('reader', () => says(text));
    return (await operator.caller.ocr(await pictureBody())).body.request_id;
  }

  async function enter() {
    const watched = await WatchedPage.open(browser);
    await watched.page.goto(await shell.address());
    await watched.page.getByText('Live', { exact: true }).waitFor();
    return watched;
  }

  async function show({ page }: WatchedPage, path: string): Promise<void> {
    await within('the address has changed', page.evaluate(`location.hash = ${JSON.stringify(path)}`));
    await page.locator('main :is(h1, h2)').first().waitFor();
    await until('the page has loaded', async () => (await page.locator('main [aria-busy=true]').count()) === 0);
  }

  it('has no barriers, no complaints, no cut heads and no bar to scroll sideways on any page, in any look', async () => {
    await using watched = await enter();
    const found: Record<string, string[]> = {};
    for (const [nth, path] of PATHS.entries()) {
      await show(watched, path);
      found[path] = await flaws(watched.page, nth);
    }
    expect(found).toEqual(Object.fromEntries(PATHS.map((path) => [path, []])));
    expect(watched.complaints).toEqual([]);
    const own = [shell.origin, shell.origin.replace('http', 'ws')];
    expect([...watched.origins].filter((origin) => !own.includes(origin))).toEqual([]);
  });

  it('shows a new request in the feed as it comes', async () => {
    await using watched = await enter();
    await show(watched, '/requests');
    const requestId = await read('Just now');
    await watched.page.getByText(requestId).first().waitFor();
  });

  it('writes the gateway’s alert rules and channels, and shows what they find', async () => {
    await using watched = await enter();
    const { page } = watched;
    await show(watched, '/alerts');
    await page.getByText('Tell me when any engine is down').first().waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    // How often the demo's engines fail goes by the calendar.
    const { data } = await ask<{ alertPreview: { days: number; fired: object[] } }>(operator.caller, PREVIEW, {
      rule: {
        kind: 'engine_down',
        severity: 'critical',
        fireAfter: 3,
        recoverAfter: 2,
        cooldownMinutes: 30,
        enabled: true,
      },
    });
    const { days, fired } = data.alertPreview;
    const span = days === 1 ? 'the last 24 hours' : `${days} days`;
    const often = fired.length === 1 ? 'once' : `${fired.length} times`;
    const said = fired.length === 0 ? `Would not have fired in ${span}.` : `Would have fired ${often} in ${span}.`;
    await dialog.getByText(said).waitFor();
    await dialog.getByRole('combobox', { name: 'When' }).click();
    await page.getByRole('option', { name: 'Many requests wait' }).click();
    await dialog.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'Warning: look soon' }).click();
    await dialog.getByRole('button', { name: 'Save the rule' }).click();
    const written = page.getByRole('listitem').filter({ hasText: 'more than 100 requests wait for any engine' });
    await written.getByText('Warning', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'New channel' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Night watch');
    await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/alerts');
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Night watch' })
      .getByText('https://hooks.example.com/alerts')
      .waitFor();
    expect(await watched.barriers()).toEqual([]);

    const STORED =
      'select (select count(*)::int from alert_rule) as rules, (select count(*)::int from alert_channel) as channels';
    expect(await readSql(house.databaseUrl, STORED)).toEqual([{ rules: 5, channels: 1 }]);
    expect(watched.complaints).toEqual([]);
  });

  it('asks for an open latency chart again as time goes by', async () => {
    await using watched = await WatchedPage.open(browser);
    const { page } = watched;
    let asked = 0;
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('query EngineLatency')) asked += 1;
      }),
    );
    await page.clock.install();
    await page.goto(await shell.address());
    await page.getByText('Live', { exact: true }).waitFor();
    await show(watched, '/engines/reader?tab=latency');
    await until('the chart was asked for', () => asked > 0);
    const before = asked;
    await page.clock.fastForward(61_000);
    await until('the chart is asked for again', () => asked > before);
  });

  it('opens the requests of an hour that is clicked, and zooms into hours that are drawn over, in the address', async () => {
    await using watched = await enter();
    const { page } = watched;
    await show(watched, `/engines/${DEMO_ENGINE}?range=24h`);
    const chart = page.getByRole('img', { name: /p50, p95 and p99 by hour/ });
    const over = () => drawnPlace(chart);
    await drawOver(chart);
    await page.getByRole('button', { name: 'Zoom out' }).waitFor();
    expect(page.url()).toContain('zoom=');
    await page.reload();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await until('the zoom has ended', () => !page.url().includes('zoom='));

    // A hand that trembles while it clicks on an hour that has requests: at night, some have none.
    const again = await over();
    const hours = Array.from({ length: 23 }, (_, hour) => again.x + (again.width * (hour + 1)) / 24);
    const busy = await firstOf(hours, async (at) => {
      await page.mouse.move(at, again.y);
      await page.getByText('By hour', { exact: true }).waitFor({ state: 'detached' });
      return (await page.getByText('no runs', { exact: true }).count()) === 0;
    });
    await page.mouse.down();
    await page.mouse.move(busy + 2, again.y);
    await page.mouse.up();
    await until('the hour is open', () => page.url().includes('tab=requests') && page.url().includes('from='));
    await page.getByText(/Accepted from/).waitFor();
  });

  it('draws thirty days by day, and opens the hours of one', async () => {
    await using watched = await enter();
    const { page } = watched;
    await show(watched, `/engines/${DEMO_ENGINE}?tab=latency&range=30d`);
    const chart = page.getByRole('img', { name: /p50, p95 and p99 by day/ });
    await chart.waitFor();
    const { x, y, width } = await drawnPlace(chart);
    const yesterday = x + (width * 28) / 29;
    await page.mouse.move(yesterday, y);
    await page.getByText('By day', { exact: true }).waitFor({ state: 'detached' });
    await page.mouse.click(yesterday, y);
    await page.getByRole('img', { name: /p50, p95 and p99 by hour/ }).waitFor();
    const [from = '', to = ''] = (new URLSearchParams(page.url().split('?')[1]).get('zoom') ?? '').split('~');
    expect(from).toMatch(/T00:00:00.000Z$/);
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await chart.waitFor();
    await show(watched, `/engines?view=compare&compare=${DEMO_ENGINE}&range=30d`);
    await page.getByRole('img', { name: /p95 by day/ }).waitFor();
    await show(watched, '/?range=30d');
    await page.getByRole('img', { name: /runs and errors by day/ }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('zooms into the comparison, and opens the requests of hours of the first page that are drawn over', async () => {
    await using watched = await enter();
    const { page } = watched;
    await show(watched, `/engines?view=compare&compare=${DEMO_ENGINE}&range=24h`);
    await drawOver(page.getByRole('img', { name: /p95 by hour/ }));
    await page.getByText('Below: sums of all requests in the last 24 h.').waitFor();
    expect(page.url()).toContain('zoom=');
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await until('the zoom has ended', () => !page.url().includes('zoom='));
    await show(watched, '/?range=24h');
    await drawOver(page.getByRole('img', { name: /runs and errors by hour/ }));
    await until('the requests of these hours are listed', () => /requests\?from=.+&to=/.test(page.url()));
    const span = new URLSearchParams(page.url().split('?')[1]);
    const hours = (Date.parse(span.get('to') ?? '') - Date.parse(span.get('from') ?? '')) / 3_600_000;
    expect(hours).toBeGreaterThan(2);
    expect(watched.complaints).toEqual([]);
  });

  it('shows what a document says as text, whatever it says', async () => {
    const requestId = await read(MARKUP);
    await using watched = await enter();
    await watched.page.evaluate(`location.hash = ${JSON.stringify(`/jobs/${requestId}`)}`);
    await watched.page.getByText('document.title=2', { exact: false }).first().waitFor();
    expect(await watched.page.locator('main img, main script').count()).toBe(0);
    expect(await watched.page.title()).toBe(`${requestId} · Requests · ocr-router console`);
    expect(watched.complaints).toEqual([]);
  });

  it('is worked by the keyboard', async () => {
    await using watched = await enter();
    const { page } = watched;
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('e')]); // the second letter has a time limit
    await until('Engines is open', () => page.url().includes('#/engines'));
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Queue');
    await page.keyboard.press('Enter');
    await until('Queue is open', () => page.url().includes('#/queue'));
    await page.getByRole('dialog').waitFor({ state: 'detached' }); // an open dialog has keys of its own
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await watched.barriers()).toEqual([]);
  });

  it('keeps what it knows while the gateway is away, and goes on by itself', async () => {
    await using watched = await enter();
    const { page } = watched;
    await page.getByText('engines healthy').waitFor();
    const { url, dashboardUrl, databaseUrl } = house.product;
    const ports = { api: Number(new URL(url).port), dashboard: Number(new URL(dashboardUrl).port) };
    await house.product.stop();
    await page.getByText(/Offline since|Reconnecting/).waitFor();
    expect(await page.getByText('engines healthy').count()).toBe(1);
    expect(await watched.barriers()).toEqual([]);
    again = await hostProduct({ databaseUrl, ports, engines: [house.engines.entry('reader', {})] });
    await page.getByText('Live', { exact: true }).waitFor();
    await show(watched, '/requests');
    const requestId = await read('After the break');
    await page.getByText(requestId).first().waitFor();
  });

  it('says that its local server has stopped, and stays readable', async () => {
    await using own = await WebConsole.start({ url: house.product.url, token: operator.apiKey });
    await using watched = await WatchedPage.open(browser);
    const { page } = watched;
    await page.goto(await own.address());
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('engines healthy').waitFor();
    await own.stop();
    await page.getByText(/Offline since|Reconnecting/).waitFor();
    expect(await page.getByText('engines healthy').count()).toBe(1);
  });

  it('begins with the way to a gateway, and keeps the key out of the page', async () => {
    await using empty = await WebConsole.start(null);
    await using watched = await WatchedPage.open(browser);
    const { page } = watched;
    await page.goto(await empty.address());
    await page.getByText('No gateway yet').waitFor();
    expect(await watched.barriers()).toEqual([]);
    await page.getByRole('link', { name: 'Add a gateway' }).click();
    await page.getByRole('button', { name: 'Add a gateway' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Here');
    await page.getByLabel('Address of its API').fill(house.product.url);
    await page.getByLabel('Operator’s key').fill(operator.apiKey);
    expect(await watched.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    const kept = await page.evaluate('document.documentElement.outerHTML + JSON.stringify({ ...localStorage })');
    expect(kept).not.toContain(operator.apiKey);
  });
});

async function firstOf<T>(of: readonly T[], is: (one: T) => Promise<boolean>): Promise<T> {
  for (const one of of) if (await is(one)) return one;
  throw new Error('none of them is');
}

/** Where the lines of a chart are drawn. */
async function drawnPlace(chart: Locator): Promise<{ x: number; y: number; width: number }> {
  // Asked in the moment in which another takes its place, it has none.
  const box = await until('the chart is drawn', async () => await chart.locator('.u-over').boundingBox());
  return { x: box.x, y: box.y + box.height / 2, width: box.width };
}

/** Draws over a fifth of a chart. */
async function drawOver(chart: Locator): Promise<void> {
  const { x, y, width } = await drawnPlace(chart);
  const { mouse } = chart.page();
  await mouse.move(x + width * 0.4, y);
  await mouse.down();
  await mouse.move(x + width * 0.6, y, { steps: 5 });
  await mouse.up();
}
