import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { fails, refuses, says, silence } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`The console's requests in a browser: skipped: ${missing}`);
const MARKUP = '<img src=x onerror="document.title=\'run\'"><b>read</b>';

let at: ConsoleHouse;

beforeAll(async () => {
  if (missing === null)
    at = await ConsoleHouse.open({ engines: { reader: {}, other: {}, narrow: { concurrency: 1 } } });
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('shows a request as soon as it was sent, and changes its line when it ends', async () => {
  const page = await at.visit('/requests');
  const id = await send('reader');
  await row(page, id).getByText('succeeded').waitFor();
  await page.context().close();
});

it.skipIf(missing)('moves nothing under the pointer, and says how many are new', async () => {
  await send('reader');
  const page = await at.visit('/requests');
  await rows(page).first().hover();
  const before = await rows(page).first().innerText();
  await send('reader');
  await send('reader');
  const pill = page.getByRole('button', { name: '2 new' });
  await pill.waitFor();
  expect(await rows(page).first().innerText()).toBe(before);
  await pill.click();
  await until('both are shown', async () => (await rows(page).first().innerText()) !== before);
  await page.context().close();
});

it.skipIf(missing)('keeps the filter in the address, for what is there and for what comes', async () => {
  const here = await send('other');
  const page = await at.visit('/requests?engine=other');
  await row(page, here).waitFor();
  const elsewhere = await send('reader');
  const next = await send('other');
  await row(page, next).waitFor();
  expect(await row(page, elsewhere).count()).toBe(0);
  await page.context().close();
});

it.skipIf(missing)('lists what came within the time range, and any time on demand', async () => {
  const old = await send('other');
  await runSql(
    at.house.product.databaseUrl,
    "update ocr_request set created_at = now() - interval '2 hours' where id = $1",
    [old],
  );
  const recent = await send('other');
  const page = await at.visit('/requests?range=1h&engine=other');
  await row(page, recent).waitFor();
  expect(await row(page, old).count()).toBe(0);
  await page.getByRole('button', { name: 'Show any time' }).click();
  await row(page, old).waitFor();
  expect(page.url()).toContain('time=any');
  const ranges = page.getByRole('radiogroup', { name: 'Time range' });
  expect(await ranges.getByRole('radio', { checked: true }).count()).toBe(0);
  await ranges.getByText('1 h', { exact: true }).click();
  await until('the old one is gone', async () => (await row(page, old).count()) === 0);
  await page.evaluate("location.hash = '/settings'");
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  expect(await ranges.count()).toBe(0);
  await page.context().close();
});

it.skipIf(missing)('opens a request by an id within a pasted line, and goes on with j', async () => {
  const older = await send('reader');
  const id = await send('reader');
  const page = await at.visit('/requests');
  await row(page, id).waitFor();
  const field = page.getByLabel('Find requests');
  await field.fill(`{"requestId":"${id}","msg":"request settled"}`);
  await field.press('Enter');
  await page.getByRole('heading', { name: id }).waitFor();
  await field.press('Escape');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: older }).waitFor();
  await page.keyboard.press('Escape');
  await until('the panel is closed', async () => (await page.locator('aside').count()) === 0);
  await page.context().close();
});

it.skipIf(missing)('opens a refused call by the id that its answer had', async () => {
  const { headers } = await at.sender.caller.ocr(await pictureBody('nobody'));
  const id = headers['x-request-id'] ?? '';
  const kept = `select id from refused_call where id = '${id.replace(/\W/g, '')}'`;
  await until('the call is kept', async () => (await readSql(at.house.product.databaseUrl, kept)).length === 1);
  const page = await at.visit('/requests');
  const field = page.getByLabel('Find requests');
  await field.fill(`X-Request-Id: ${id}`);
  await field.press('Enter');
  const panel = page.getByRole('complementary', { name: `refused call ${id}` });
  await panel.getByRole('heading', { name: 'Refused with 400 unknown_engine' }).waitFor();
  await panel.getByText('POST /v1/ocr').waitFor();
  await panel.getByRole('link', { name: at.sender.accountId }).waitFor();
  await page.context().close();
});

it.skipIf(missing)('moves no line where nothing is found', async () => {
  const id = await send('reader');
  const page = await at.visit('/requests');
  await row(page, id).waitFor();
  const before = await row(page, id).boundingBox();
  await page.getByLabel('Find requests').fill('nobody@nowhere.example');
  await page.getByLabel('Find requests').press('Enter');
  await page.getByText('No account has this in its address.').waitFor();
  expect((await row(page, id).boundingBox())?.y).toBe(before?.y);
  await page.context().close();
});

it.skipIf(missing)('has room for each error’s code', async () => {
  const id = await send('reader');
  const AS = `update ocr_request set status = 'failed', error_code = 'engine_unavailable' where id = $1`;
  await runSql(at.house.product.databaseUrl, AS, [id]);
  const page = await at.visit('/requests');
  const cell = row(page, id).getByRole('gridcell').filter({ hasText: 'engine_unavailable' });
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.context().close();
});

it.skipIf(missing)('narrows the list by a text: an error’s code, an engine, and takes it back', async () => {
  const fine = await send('other');
  at.house.engines.script('reader', fails(500, 'out of order'));
  await at.sender.caller.ocr(await pictureBody('reader'));
  at.house.engines.reset();
  const page = await at.visit('/requests?time=any');
  await row(page, fine).waitFor();
  const field = page.getByLabel('Find requests');
  await field.fill('provider_error');
  await field.press('Enter');
  await until('the other one is gone', async () => (await row(page, fine).count()) === 0);
  expect(page.url()).toContain('code=provider_error');
  await rows(page).filter({ hasText: 'provider_error' }).first().waitFor();
  await page.getByRole('button', { name: 'With any error or none' }).click();
  await row(page, fine).waitFor();
  await field.fill('OTHER');
  await field.press('Enter');
  await until('the address names the engine', () => page.url().includes('engine=other'));
  await row(page, fine).waitFor();
  await page.goto(page.url().replace('engine=other', 'engine=reader'));
  await field.fill('Out of ORD');
  await field.press('Enter');
  await until('the text alone is searched for', async () => (await rows(page).count()) === 1);
  await rows(page).filter({ hasText: 'provider_error' }).waitFor();
  await page.getByRole('button', { name: 'Whatever error and idempotency key say' }).click();
  await page.context().close();
});

it.skipIf(missing)('lists the slowest first, with its total time, and saves the list as a file', async () => {
  const [slow, fast] = [await send('other'), await send('other')];
  const { databaseUrl } = at.house.product;
  await runSql(
    databaseUrl,
    "update ocr_request set created_at = finished_at - interval '5 hours 17 min' where id = $1",
    [slow],
  );
  const page = await at.visit('/requests?range=24h&engine=other');
  await row(page, fast).waitFor();
  await page.getByRole('radiogroup', { name: 'Order' }).getByText('Slowest first').click();
  await until('the slow one is first', async () => (await rows(page).first().innerText()).includes(slow));
  expect(await rows(page).first().innerText()).toContain('5 h 17 min');
  const engineTime = page.getByRole('columnheader', { name: 'Engine time' });
  expect(await engineTime.getAttribute('title')).toContain('Engine time, all pages together');
  expect(page.url()).toContain('order=slowest');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^requests-.+\.csv$/);
  const [head, first] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(head).toMatch(/^id,accepted_at,/);
  expect(first).toContain(slow);
  expect(first).toContain('succeeded');
  await page.context().close();
});

it.skipIf(missing)('lists what was accepted between two times that are entered', async () => {
  const [old, recent] = [await send('other'), await send('other')];
  const earlier = "update ocr_request set created_at = now() - interval '50 min' where id = $1";
  await runSql(at.house.product.databaseUrl, earlier, [old]);
  const page = await at.visit('/requests?engine=other');
  await row(page, recent).waitFor();
  const field = (minutesAgo: number) =>
    page.evaluate(`(() => {
      const at = new Date(Date.now() - ${minutesAgo} * 60000);
      return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
    })()`);
  await page.getByRole('button', { name: 'Custom range' }).click();
  await page.getByLabel('Accepted from').fill(String(await field(55)));
  await page.getByLabel('Accepted before').fill(String(await field(40)));
  await page.getByRole('button', { name: 'Apply' }).click();
  await until('the recent one is gone', async () => (await row(page, recent).count()) === 0);
  await row(page, old).waitFor();
  expect(page.url()).toMatch(/from=.+to=/);
  await page.context().close();
});

it.skipIf(missing)('explains a failure: the attempt, what it cost, and that the rest came back', async () => {
  at.house.engines.script('reader', refuses('I do not read this.'));
  const id = await send('reader');
  at.house.engines.reset();
  const page = await at.visit(`/requests?request=${id}`);
  const panel = page.getByRole('complementary', { name: `request ${id}` });
  await panel.getByText('I do not read this.').first().waitFor();
  const text = await panel.innerText();
  expect(text).toContain('refused');
  expect(text).toContain('What a failed attempt cost at its provider, without markup, taken from the balance.');
  expect(text).toContain('The rest of it was given back.');
  expect(text).toContain('There is no result.');
  await page.context().close();
});

it.skipIf(missing)('shows no text of other accounts, and never takes one for markup', async () => {
  at.house.engines.script('reader', says(MARKUP));
  const foreign = await send('reader');
  const operator = await at.house.account({ scopes: ['operator', 'ocr:write', 'ocr:read'] });
  const own = (await operator.caller.ocr(await pictureBody('reader'))).body.request_id;
  at.house.engines.reset();

  const page = await at.visit(`/requests?request=${foreign}`);
  await page.getByText('Retained, and shown to the account alone.').waitFor();
  expect(await page.locator('aside').innerText()).not.toContain('onerror');
  await page.context().close();

  await using theirs = await at.consoleOf(operator);
  const seen = await theirs.visit(`/requests?request=${own}`);
  await seen.getByText(MARKUP).waitFor();
  expect(await seen.locator('aside img, aside b').count()).toBe(0);
  expect(await seen.title()).not.toBe('run');
});

it.skipIf(missing)('cancels what waits and what is at work from the queue, after a question', async () => {
  at.house.engines.script('narrow', silence);
  const [working, waiting] = [await begin(), await begin()];
  await at.house.engines.called('narrow');
  const page = await at.visit('/queue');
  await cancel(page, waiting, 'nothing is charged');
  await cancel(page, working, 'Its calls to engines are stopped');
  await page.getByText('Nothing is waiting or running.').first().waitFor();
  const { body: ended } = await at.sender.caller.get(`/v1/ocr/${working}`);
  expect(ended).toMatchObject({ status: 'failed', cost_debited: 0.004, cancelled_at: expect.any(String) });
  const { body: unbegun } = await at.sender.caller.get(`/v1/ocr/${waiting}`);
  expect(unbegun).toMatchObject({ status: 'rejected', cost_debited: 0, cancelled_at: expect.any(String) });
  expect(at.house.engines.calls('narrow')).toHaveLength(1);
  const operator = await at.house.account({ scopes: ['operator'] });
  const { data } = await ask<{ auditLog: { nodes: { action: string; subject: string }[] } }>(
    operator.caller,
    '{ auditLog(first: 50) { nodes { action subject } } }',
  );
  for (const subject of [working, waiting]) {
    expect(data.auditLog.nodes).toContainEqual({ action: 'cancelRequest', subject });
  }
  at.house.engines.reset();
  await page.context().close();
});

/** Sends a request that nobody waits for. */
async function begin(): Promise<string> {
  const { status, body } = await at.sender.caller.ocr(await pictureBody('narrow', { mode: 'async' }));
  expect(status).toBe(202);
  return body.request_id;
}

/** The question is asked twice, and answered once with no. */
async function cancel(page: Page, id: string, words: string): Promise<void> {
  const button = page.getByRole('button', { name: `Cancel the request ${id}` });
  await button.click();
  const question = page.getByRole('dialog');
  await question.getByText(words).waitFor();
  await question.getByRole('button', { name: 'Cancel', exact: true }).click();
  await question.waitFor({ state: 'detached' });
  const { body } = await at.sender.caller.get<{ status: string }>(`/v1/ocr/${id}`);
  expect(['queued', 'processing']).toContain(body.status);
  await button.click();
  await question.getByRole('button', { name: 'Cancel the request' }).click();
  await button.waitFor({ state: 'detached' });
}

async function send(engine: string): Promise<string> {
  const { body } = await at.sender.caller.ocr(await pictureBody(engine));
  return body.request_id;
}

function rows(page: Page) {
  return page.locator('[role=grid] tbody tr[aria-rowindex]');
}

function row(page: Page, id: string) {
  return rows(page).filter({ hasText: id });
}
