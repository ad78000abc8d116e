import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { createDatabase } from '../house/cluster.ts';
import { freePorts } from '../house/free-ports.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { type Product } from '../house/product.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';
import { until } from '../house/until.ts';
import { WatchedPage } from '../house/watched-page.ts';
import { WebConsole } from '../house/web-console.ts';

const missing = missingChromium();
if (missing) console.log(`test/desktop/console-outage.test.ts: skipped, ${missing}`);

describe.skipIf(missing !== null)('a page of the console whose gateway goes away', () => {
  const stack = new AsyncDisposableStack();
  let start: () => Promise<Product>;
  let product: Product;
  let apiKey: string;
  let shell: WebConsole;
  let browser: Browser;

  beforeAll(async () => {
    const engines = stack.use(await ScriptedEngines.start());
    const databaseUrl = await createDatabase();
    const [api = 0, dashboard = 0] = await freePorts(2);
    start = () => hostProduct({ databaseUrl, engines: [engines.entry('reader')], ports: { api, dashboard } });
    product = await start();
    stack.defer(() => product[Symbol.asyncDispose]());
    const admin = stack.use(await openHouseAdmin(databaseUrl));
    await admin.seedDemo({ days: 1, seed: 'outage' });
    ({ apiKey } = await makeAccount(admin, { scopes: ['operator', 'ocr:read', 'ocr:write'] }));
    shell = stack.use(await WebConsole.start({ url: product.url, token: apiKey }));
    browser = await sharedChromium();
  });

  afterAll(() => stack.disposeAsync());

  it('keeps the last figures and says so, permits no change, and goes on by itself with a live feed', async () => {
    await using watched = await WatchedPage.open(browser);
    const { page } = watched;
    await page.goto(await shell.address());
    const live = page.getByText('Live', { exact: true });
    await live.waitFor();
    await page.getByText('engines healthy').waitFor();
    await page.evaluate("location.hash = '/accounts'");
    const newAccount = page.getByRole('button', { name: 'New account' });
    await until('accounts can be made', () => newAccount.isEnabled());

    await product[Symbol.asyncDispose]();
    await page.getByText(/Offline since|Reconnecting in/).waitFor();
    await until('no account can be made', async () => {
      return (await newAccount.isDisabled()) || (await newAccount.getAttribute('data-disabled')) === 'true';
    });
    await page.evaluate("location.hash = '/'");
    await page.getByText('engines healthy').waitFor();
    await page
      .getByText(/ago|as of|Last known/i)
      .first()
      .waitFor();
    expect(await watched.barriers()).toEqual([]);
    await page.evaluate("location.hash = '/accounts'");
    const ofOutage = page.getByText('the gateway cannot be reached').or(page.getByText('could not be loaded'));
    await ofOutage.first().waitFor();

    product = await start();
    await live.waitFor();
    await until('the list is of now', async () => (await ofOutage.count()) === 0);
    await page.getByRole('row').nth(1).waitFor();
    await page.evaluate("location.hash = '/requests'");
    await page.getByRole('grid').waitFor();
    const { body } = await new Caller(product.url, apiKey).ocr(await pictureBody());
    await page.getByRole('row').filter({ hasText: body.request_id }).filter({ hasText: 'succeeded' }).waitFor();
  });

  it('is never sent the key', async () => {
    await using watched = await WatchedPage.open(browser);
    const { page } = watched;
    const sent: string[] = [];
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => sent.push(String(payload))));
    page.on('response', async (response) => sent.push(await response.text().catch(() => '')));
    await page.goto(await shell.address());
    await page.getByText('Live', { exact: true }).waitFor();
    for (const path of ['/settings', '/accounts', '/alerts']) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
      await page.locator('main :is(h1, h2)').first().waitFor();
    }
    expect(sent.join('')).toContain('From the environment'); // so it did listen
    expect(sent.filter((text) => text.includes(apiKey))).toEqual([]);
  });
});
