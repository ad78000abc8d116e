import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { fails, says, silence } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { newPerson } from '../house/person.ts';
import { readSql, runSql } from '../house/sql.ts';
import { unfit } from '../house/unfit.ts';
import { until } from '../house/until.ts';
import { Visit } from '../house/visit.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';

const missing = missingChromium();
const house = await openHouse({ env: LOOPBACK_ALLOWED });
const browser = missing === null ? await sharedChromium() : null;
if (browser === null) await house[Symbol.asyncDispose](); // of a file that is skipped no hook runs
afterAll(() => house[Symbol.asyncDispose]());
afterEach(() => house.engines.reset());

describe.skipIf(browser === null)(`the dashboard as time goes by${missing ? ` (${missing})` : ''}`, () => {
  it('goes on after an update under it: the names of the former build are gone, and its page is the new one', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/');
    const answered: number[] = [];
    // As a page of the former build asks; what is answered is the service's own.
    await page.route('**/assets/*usage-page*', async (route) => {
      const url = route
        .request()
        .url()
        .replace(/usage-page-[^.]+/, 'usage-page-FORMER00');
      const response = await route.fetch({ url });
      answered.push(response.status());
      await route.fulfill({ response });
    });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText(/has been updated since you opened the dashboard/).waitFor();
    expect(new Set(answered)).toEqual(new Set([404]));
    await page.unroute('**/assets/*usage-page*');
    const shell = page.waitForResponse((response) => response.url() === page.url());
    await page.getByRole('button', { name: 'Try again' }).click();
    expect((await shell).headers()['cache-control']).toBe('no-store');
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  });

  it.each(['ar-EG', 'de-DE'])(
    'shows times of the reader’s zone, and figures alike, in a browser of %s',
    async (locale) => {
      const person = await newPerson(house);
      await house.admin.addCredit(person.accountId, 1_234_567.89);
      const { api_key } = await house.admin.createKey({ accountId: person.accountId });
      const { request_id: id } = (await house.callerWith(api_key).ocr(await pictureBody())).body;
      const [row] = await readSql<{ at: Date }>(
        house.databaseUrl,
        `select created_at as at from ocr_request where id = '${id}'`,
      );
      const at = row?.at ?? new Date(0);
      // Where it is another day than in UTC.
      const timezoneId = at.getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
      const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
      const clock = { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
      const shown = new Intl.DateTimeFormat('en-GB', { ...clock, timeZone: timezoneId }).format(at);
      await using visit = await Visit.begin(browser, house, { timezoneId, locale });
      const { page } = visit;
      await visit.openAs(person, '/');
      await page.getByText('$1,234,577.88', { exact: true }).first().waitFor();
      expect(await page.locator('main').innerText()).not.toMatch(/\p{Script=Arabic}/u);
      const [here, utc] = [dayIn(timezoneId), dayIn('UTC')];
      expect(here).not.toBe(utc);
      await visit.open(`/requests?from=${here}&to=${here}`);
      await page.getByRole('row').filter({ hasText: id }).getByText(shown, { exact: true }).waitFor();
      await visit.open(`/requests?from=${utc}&to=${utc}`);
      await page.getByText('No request matches').waitFor();
      await visit.open(`/requests?from=${utc}&to=${utc}&zone=utc`);
      await page.getByRole('row').filter({ hasText: id }).waitFor();
      await visit.open('/usage');
      await page.getByText('$0.01').first().waitFor();
      expect(visit.complaints).toEqual([]);
    },
  );

  it.each([
    ['fr-FR', 'Asia/Kolkata'],
    ['de-DE', 'America/St_Johns'],
  ])('shows times of a zone that is not whole hours from UTC, in a browser of %s in %s', async (locale, timezoneId) => {
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const { request_id: id } = (await house.callerWith(api_key).ocr(await pictureBody())).body;
    const [row] = await readSql<{ at: Date }>(
      house.databaseUrl,
      `select created_at as at from ocr_request where id = '${id}'`,
    );
    const clock = { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
    const shown = new Intl.DateTimeFormat('en-GB', { ...clock, timeZone: timezoneId }).format(row?.at);
    await using visit = await Visit.begin(browser, house, { timezoneId, locale });
    const { page } = visit;
    await visit.openAs(person, '/requests');
    await page.getByRole('row').filter({ hasText: id }).getByText(shown, { exact: true }).waitFor();
    await visit.open(`/requests/${id}`);
    await page.getByText(shown.slice(-5)).first().waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/\d\u202f\d|\d,\d\d?\s?(€|\$|%|s\b)/);
    expect(visit.complaints).toEqual([]);
  });

  it('fits, whatever things are called and however much there is', async () => {
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const { request_id: id } = (await house.callerWith(api_key).ocr(await pictureBody())).body;
    // Without a blank at which a line could end; nearly all that a wallet holds.
    const long = 'n'.repeat(200);
    const { databaseUrl } = house;
    await runSql(databaseUrl, 'update api_key set label = $2 where account_id = $1', [person.accountId, long]);
    const HUGE = `update wallet set posted = $2, spent = $2, requests = 1234567890, pages = 9876543210 where account_id = $1`;
    await runSql(databaseUrl, HUGE, [person.accountId, '9007199254740993000']);
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/');
    const made = await visit.graphql<{ createWebhook: { id: string } }>(
      `mutation { createWebhook(url: "https://hooks.example.com/${long}", label: "${long.slice(0, 60)}") { id } }`,
    );
    const found: string[] = [];
    for (const path of [
      '/',
      '/requests',
      `/requests/${id}`,
      '/usage',
      '/keys',
      '/webhooks',
      `/webhooks/${made.data?.createWebhook.id}`,
      '/account',
    ]) {
      await visit.open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of [1440, 960, 360]) {
        await page.setViewportSize({ width, height: 900 });
        found.push(...(await unfit(page)).map((each) => `${path} at ${width}: ${each}`));
      }
    }
    expect(found).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  it('lists a request as soon as it was sent, and its end, without being asked', async () => {
    const gate = makeGate();
    house.engines.script('reader', async () => {
      await gate.opened;
      return says('read');
    });
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const caller = house.callerWith(api_key);
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/requests?status=processing,queued');
    await page.getByText('No request matches').waitFor();
    const { request_id: id } = (await caller.ocr(await pictureBody('reader', { mode: 'async' }))).body;
    await page.getByRole('row').filter({ hasText: id }).getByText('processing').waitFor();
    await visit.page.getByRole('button', { name: 'Clear' }).click();
    const row = page.getByRole('row').filter({ hasText: id });
    await row.getByText('processing').waitFor();
    // What was asked for before is answered: a list that is late would show the end without a look at it.
    await page.waitForLoadState('networkidle');
    // The first look at its end fails.
    let looks = 0;
    await page.route('**/graphql', (route) => {
      const isLook = route.request().postData()?.includes(`"ids":["${id}"]`) ?? false;
      if (isLook) looks += 1;
      return isLook && looks === 1 ? route.abort() : route.fallback();
    });
    gate.open();
    await row.getByText('succeeded').waitFor();
    expect(looks).toBe(2);
  });

  it('cancels a request from its page, after a question that says what that costs', async () => {
    house.engines.script('reader', silence);
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const sent = await house.callerWith(api_key).ocr(await pictureBody('reader', { mode: 'async' }));
    const [call] = await house.engines.called('reader');
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, `/requests/${sent.body.request_id}`);
    const ask = page.getByRole('button', { name: 'Cancel', exact: true });
    await ask.click();
    const question = page.getByRole('dialog', { name: 'Cancel this request?' });
    await question.getByText('a call in progress costs what its provider bills for it. $0.01 is reserved').waitFor();
    await question.getByRole('button', { name: 'Let it run' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(call?.aborted).toBe(false);
    await ask.click();
    await question.getByRole('button', { name: 'Cancel the request' }).click();
    await page.getByText('The request was cancelled.').first().waitFor();
    await page.getByText('$0.004').first().waitFor();
    await ask.waitFor({ state: 'detached' });
    await until('the call is given up', () => call?.aborted);
    expect(await house.admin.showAccount(person.accountId)).toMatchObject({ balance_usd: 9.996, held_usd: 0 });
    expect(visit.complaints).toEqual([]);
  });

  it('finds requests by what their error says, and goes on where a search has stopped', async () => {
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const caller = house.callerWith(api_key);
    const { request_id: read } = (await caller.ocr(await pictureBody('reader'))).body;
    house.engines.script('reader', fails(500, 'the drum is worn', 'internal'));
    const failed = (await caller.ocr(await pictureBody('reader'))).headers['x-request-id'] ?? '';
    house.engines.reset();
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/requests');
    const row = (id: string) => page.getByRole('row').filter({ hasText: id });
    await row(read).waitFor();
    const after: unknown[] = [];
    const BEYOND = `ocr_${'Z'.repeat(26)}`;
    await page.route('**/graphql', async (route) => {
      const asked = route.request().postDataJSON() as { variables: { filter?: { text?: string }; after?: string } };
      if (asked.variables.filter?.text === undefined) return route.fallback();
      after.push(asked.variables.after);
      if (after.length > 1) return route.fallback();
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { requests: object } };
      const stopped = { nodes: [], pageInfo: { hasNextPage: true, endCursor: BEYOND }, searchedTo: new Date() };
      await route.fulfill({ response, json: { data: { requests: { ...data.requests, ...stopped } } } });
    });
    const field = page.getByLabel('Error or idempotency key');
    await field.fill('Drum');
    await field.press('Enter');
    await page.getByRole('region').getByText('Nothing found so far').waitFor();
    await page.getByRole('button', { name: 'Search older requests' }).click();
    await row(failed).waitFor();
    expect(await row(read).count()).toBe(0);
    expect(after).toEqual([null, BEYOND]);
    expect(new URL(page.url()).searchParams.get('text')).toBe('Drum');
    await page.getByRole('button', { name: 'Clear' }).click();
    await row(read).waitFor();
    expect(await field.inputValue()).toBe('');
    expect(visit.complaints).toEqual([]);
  });

  it('follows a webhook on the request’s page to its last attempt', async () => {
    await using receiver = await WebhookReceiver.start();
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    const url = receiver.at('/down', async () => {
      await told;
      return { status: 500 };
    });
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const body = await pictureBody('reader', { mode: 'async', webhook_url: url });
    const { request_id: id } = (await house.callerWith(api_key).ocr(body)).body;
    await receiver.gets('/down');
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, `/requests/${id}`);
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByText('pending').waitFor();
    tell();
    await deliveries.getByText('1 of 4').waitFor();
    await deliveries.getByText('4 of 4').waitFor();
    expect(await deliveries.getByText('failed').count()).toBe(4);
    const sent = await page.getByRole('region', { name: 'The request as JSON' }).textContent();
    expect(JSON.parse(sent ?? '')).toMatchObject({ engine: 'reader', mode: 'async', webhook_url: url });
    expect(sent).not.toMatch(/[a-z][A-Z]\w*":/);
  });
});
