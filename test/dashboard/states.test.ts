import { createHmac, randomBytes } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { barriers } from '../house/barriers.ts';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { newPerson } from '../house/person.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await openHouse({ env: { ...LOOPBACK_ALLOWED, REGISTRATION: 'true' } });
const browser = missing === null ? await sharedChromium() : null;
if (browser === null) await house[Symbol.asyncDispose](); // of a file that is skipped no hook runs
afterAll(() => house[Symbol.asyncDispose]());

describe.skipIf(browser === null)(`the dashboard’s states${missing ? ` (${missing})` : ''}`, () => {
  it('lets somebody make an account where the operator allows it, and shows them what to do first', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.open('/');
    await page.getByRole('button', { name: 'No account yet? Create one' }).click();
    await page.getByLabel('E-mail').fill('new.person@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page
      .getByRole('alert')
      .getByText(/password.*10/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill('long enough for anybody');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByText('Nothing has been sent yet').waitFor();
    await page.getByText('whoever runs this gateway can add to it').waitFor();
  });

  it('shows in every tab whose session it is now, and nothing that the account before saw', async () => {
    await using visit = await Visit.begin(browser, house);
    const [first, second] = [await newPerson(house), await newPerson(house)];
    await visit.openAs(first, '/keys');
    await visit.page.getByText(first.email).waitFor();
    const tab = await visit.context.newPage();
    await tab.goto(visit.url('/keys'));
    await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
    await visit.page.getByLabel('E-mail').waitFor();
    await tab.getByLabel('E-mail').fill(second.email);
    await tab.getByRole('textbox', { name: 'Password' }).fill(second.password);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await visit.page.getByText(second.email).waitFor();
    expect(await visit.page.getByText(first.email).count()).toBe(0);

    // As after a login at a provider, whose way back is a page that loads.
    await tab.evaluate(async ({ email, password }) => {
      const body = JSON.stringify({ email, password });
      await fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }, first);
    await tab.reload();
    await visit.page.getByText(first.email).waitFor();
    expect(await visit.page.getByText(second.email).count()).toBe(0);
    expect(visit.complaints).toEqual([]);
  });

  it('shows the status of the service to whoever is not signed in', async () => {
    await using visit = await Visit.begin(browser, house);
    await until('Tesseract was probed', async () => {
      const { body } = await house.stranger.get<{ total_checks: number }>('/v1/engines/tesseract/uptime');
      return body.total_checks > 0;
    });
    const refused: string[] = [];
    visit.page.on('response', (response) => void (response.status() === 401 && refused.push(response.url())));
    await visit.open('/status');
    await visit.page.getByRole('heading', { level: 1, name: 'Status' }).waitFor();
    await visit.page.getByRole('listbox', { name: /Tesseract, the last 90 days/ }).waitFor();
    await visit.page.getByRole('heading', { name: /API changelog/ }).waitFor();
    await visit.page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(visit.complaints).toEqual([]);
    expect(refused).toEqual([]);
  });

  it('shows an engine as switched off to whoever is signed in, whatever its last calls say', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    const engine = page.getByRole('article').filter({ hasText: 'Scripted reader' });
    await visit.openAs(await newPerson(house), '/');
    await visit.open('/status');
    await engine.waitFor();
    expect(await engine.getByText('Disabled', { exact: true }).count()).toBe(0);
    await house.admin.setEngineEnabled('reader', false);
    try {
      // The product feels it within half a second; the page looks once a minute.
      await until('the engine is shown as switched off', async () => {
        await visit.open('/status');
        await engine.waitFor();
        return (await engine.getByText('Disabled', { exact: true }).count()) === 1;
      });
    } finally {
      await house.admin.setEngineEnabled('reader', true);
    }
    expect(visit.complaints).toEqual([]);
  });

  it('tells whoever looks what went wrong with engines, and no more of it than callers could see', async () => {
    await using visit = await Visit.begin(browser, house);
    const insert = `insert into alert (id, rule_id, kind, engine, title, detail, began_at, ended_at) values
      ('alt_down', 'alr_1', 'engine_down', 'reader', 'private title', 'private words', now() - interval '90 minutes', now() - interval '1 hour'),
      ('alt_key', 'alr_2', 'provider_auth', 'reader', 'private title', 'private words', now() - interval '90 minutes', now())`;
    await runSql(house.databaseUrl, insert);
    await visit.open('/status');
    const { page } = visit;
    await page.getByRole('heading', { name: 'Incidents' }).waitFor();
    const item = page.getByRole('listitem').filter({ hasText: 'Scripted reader did not take requests.' });
    await item.getByText(/for 30 min/).waitFor();
    expect(await page.locator('main').innerText()).not.toContain('private');
    expect(visit.complaints).toEqual([]);
    await runSql(house.databaseUrl, "delete from alert where id in ('alt_down', 'alt_key')");
  });

  it('says what could not be loaded, and loads it when asked again', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/');
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('alert').getByText('The keys could not be loaded').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No keys yet').waitFor();
  });

  it.each([
    { path: '/webhooks', last: 'Webhooks', first: 'Nothing has been delivered yet' },
    { path: '/usage', last: 'Me', first: 'By day and engine' },
    { path: '/account', last: 'Me', first: 'Where you are signed in' },
  ])('moves nothing that is seen on $path while what stands above it comes', async ({ path, last, first }) => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/keys');
    await page.addInitScript(() => {
      const moved: unknown[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        // Each entry is a LayoutShift, which TypeScript does not know.
        for (const entry of list.getEntries()) moved.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const rest = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (String(route.request().postData()).includes(`query ${last}`)) await rest.promise;
      await route.continue();
    });
    await visit.open(path);
    await page.getByText(first, { exact: true }).waitFor({ state: 'attached' });
    rest.resolve();
    await page.getByText(first, { exact: true }).waitFor();
    await until('all has come', async () => (await page.locator('main [aria-busy=true]').count()) === 0);
    const moved = await page.evaluate(() => (window as unknown as { moved: number[] }).moved); // set above
    expect(moved.reduce((sum, each) => sum + each, 0)).toBeLessThan(0.02);
  });

  it('shows its frame, and what the page is for, before its program and its styles have come', async () => {
    for (const widthPx of [1280, 412]) {
      await using visit = await Visit.begin(browser, house, { widthPx });
      const { page } = visit;
      await visit.openAs(await newPerson(house), '/keys');
      const shown = [
        page.getByText('ocr-router', { exact: true }).filter({ visible: true }).first(),
        page.getByRole('heading', { level: 1, name: 'Keys' }),
        page.getByText('Programs call the API with a key.'),
      ];
      const places = () => Promise.all(shown.map(placeOf));
      const there = await places();
      await page.route('**/assets/*', (route) => route.abort());
      await page.reload();
      for (const each of shown) await each.waitFor();
      expect(await places(), `${widthPx} px`).toEqual(there);
    }
  });

  it('keeps its frame when a page’s code cannot be fetched, and fetches it when asked again', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/');
    await page.route('**/assets/*usage-page*', (route) => route.abort());
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('alert').getByText('This page could not be shown').waitFor();
    await page.getByText(/has been updated since you opened the dashboard/).waitFor();
    await page.getByRole('link', { name: 'Home' }).waitFor();
    await page.unroute('**/assets/*usage-page*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  });

  it('tells of a low balance on every page, below the amount that the owner has set', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/usage');
    await page.getByText('Now: never.').waitFor();
    await page.getByLabel('Tell me when the balance is below').fill('12.50');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Now: below $12.50').waitFor();
    await page.getByText('Your balance of $10.00 is below $12.50').waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('No keys yet').waitFor();
    await page.getByText('Your balance of $10.00 is below $12.50').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('checks a signature in the browser, and says what is wrong with it', async () => {
    const secret = randomBytes(32);
    const [id, at, body] = ['whd_1', String(Math.floor(Date.now() / 1000)), '{"event":"webhook.test"}'];
    const signature = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64');
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/webhooks');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('textbox', { name: 'Secret' }).fill(`whsec_${secret.toString('base64')}`);
    await page.getByLabel('webhook-id').fill(id);
    await page.getByLabel('webhook-timestamp').fill(at);
    await page.getByLabel('webhook-signature').fill(`v1,${signature}`);
    await page.getByLabel('Body').fill(body);
    await page.getByText('The signature is right.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Body').fill(`${body}\n`);
    await page.getByText(/without the space around it/).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('keeps what it has shown while there is no network, and says so', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page, context } = visit;
    const person = await newPerson(house);
    await house.admin.createKey({ accountId: person.accountId, label: 'shown before' });
    await visit.openAs(person, '/keys');
    await page.getByText('shown before').waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('shown before').waitFor();
    await page.getByText('The keys could not be refreshed').waitFor();
    await context.setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
  });

  it('asks for the password again when the session was ended elsewhere', async () => {
    await using visit = await Visit.begin(browser, house);
    await using elsewhere = await Visit.begin(browser, house);
    const person = await newPerson(house);
    await visit.openAs(person, '/keys');
    await elsewhere.openAs(person, '/account');
    await elsewhere.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await elsewhere.page.getByText('All sessions have ended').waitFor();
    await visit.page.getByRole('link', { name: 'Webhooks' }).click();
    await visit.page.getByText('Your session has ended. Sign in again.').waitFor();
    await visit.signIn(person.email, person.password);
    await visit.page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  it('marks the own session beside its name, and over nothing else, on a narrow screen', async () => {
    await using visit = await Visit.begin(browser, house, { widthPx: 360 });
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/account');
    const cells = page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(1).getByRole('cell');
    const badge = await page.getByText('this one').locator('xpath=..').boundingBox();
    const next = await cells.nth(1).boundingBox();
    expect((badge?.x ?? Number.NaN) + (badge?.width ?? 0)).toBeLessThanOrEqual(next?.x ?? Number.NaN);
  });

  it('says what turning history off deletes, and deletes it', async () => {
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const caller = house.callerWith(api_key);
    const { request_id: id } = (await caller.ocr(await pictureBody())).body;
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/account');
    await page.getByRole('switch', { name: /Keep the texts/ }).click();
    await page.getByText('the texts and previews of all finished requests').waitFor();
    expect((await caller.get(`/v1/ocr/${id}`)).status).toBe(200);
    await page.getByRole('button', { name: 'Turn off and delete' }).click();
    await page.getByText('reading a request again answers 410').waitFor();
    expect((await caller.get(`/v1/ocr/${id}`)).status).toBe(410);
    await visit.open(`/requests/${id}`);
    await page.getByText('Not retained').waitFor();
  });

  it('leads from the id of a refused call to why it was refused, and keeps it from others', async () => {
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId, label: 'mistypes engines' });
    const { headers } = await house.callerWith(api_key).ocr(await pictureBody('nobody'));
    const id = headers['x-request-id'] ?? '';
    const kept = `select id from refused_call where id = '${id.replace(/\W/g, '')}'`;
    await until('the call is kept', async () => (await readSql(house.product.databaseUrl, kept)).length === 1);
    await using visit = await Visit.begin(browser, house);
    await visit.openAs(person, '/requests');
    await visit.page.getByLabel('Request id').fill(id);
    await visit.page.getByRole('button', { name: 'Open' }).click();
    await visit.page.getByRole('heading', { name: 'Refused with 400 unknown_engine' }).waitFor();
    await visit.page.getByText('POST /v1/ocr').waitFor();
    await visit.page.getByText('mistypes engines').waitFor({ timeout: 10_000 });
    await using stranger = await Visit.begin(browser, house);
    await stranger.openAs(await newPerson(house), `/requests/${id}`);
    await stranger.page.getByText('No call of your account was refused under this id').waitFor();
  });

  it('hands over the usage as a file', async () => {
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId, label: '=1+1' });
    const { request_id: id } = (await house.callerWith(api_key).ocr(await pictureBody())).body;
    await using visit = await Visit.begin(browser, house);
    await visit.openAs(person, '/usage');
    await visit.page
      .getByRole('slider', { name: /this month against last: \$0.01 so far, nothing last month/ })
      .waitFor();
    const waiting = visit.page.waitForEvent('download');
    await visit.page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^usage-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer); // a file streams Buffers
    const [head, row] = Buffer.concat(chunks).toString().split('\r\n');
    expect(head).toBe('request_id,created_at,engine,status,pages,cost_usd,provider_latency_ms,mode,key_label');
    expect(row).toMatch(new RegExp(`^${id},[^,]+,reader,succeeded,1,0\\.01,\\d+,sync,'=1\\+1$`));
  });
});

/** Where its text begins, and how high it is, in whole pixels: the bar's own line has a part of one. */
function placeOf(shown: Locator): Promise<readonly number[]> {
  return shown.evaluate((element) => {
    const { x, y, height } = element.getBoundingClientRect();
    return [x, y, height].map((edge) => Math.round(edge));
  });
}
