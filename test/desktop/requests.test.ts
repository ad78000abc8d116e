import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { refuses, says, silence } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`The console's jobs in a browser: skipped: ${missing}`);
const MARKUP = '<img src=x onerror="document.title=\'run\'"><b>read</b>';

let at: ConsoleHouse;

beforeAll(async () => {
  if (missing === null)
    at = await ConsoleHouse.open({ engines: { reader: {}, other: {}, narrow: { concurrency: 1 } } });
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('shows a request as soon as it was sent, and changes its line when it ends', async () => {
  const page = await at.visit('/jobs');
  const id = await send('reader');
  await row(page, id).getByText('succeeded').waitFor();
  await page.context().close();
});

it.skipIf(missing)('moves nothing under the pointer, and says how many are new', async () => {
  await send('reader');
  const page = await at.visit('/jobs');
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
  const page = await at.visit('/jobs?engine=other');
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
  const page = await at.visit('/jobs?range=1h&engine=other');
  await row(page, recent).waitFor();
  expect(await row(page, old).count()).toBe(0);
  await page.getByRole('button', { name: 'Look at any time' }).click();
  await row(page, old).waitFor();
  expect(page.url()).toContain('time=any');
  const ranges = page.getByRole('radiogroup', { name: 'Time range' });
  expect(await ranges.getByRole('radio', { checked: true }).count()).toBe(0);
  await ranges.getByText('1 h', { exact: true }).click();
  await until('the old one is gone', async () => (await row(page, old).count()) === 0);
  await page.evaluate("location.hash = '/accounts'");
  await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  expect(await ranges.count()).toBe(0);
  await page.context().close();
});

it.skipIf(missing)('opens a request by an id within a pasted line, and goes on with j', async () => {
  const older = await send('reader');
  const id = await send('reader');
  const page = await at.visit('/jobs');
  await row(page, id).waitFor();
  const field = page.getByLabel('Open a request by its id');
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
  const page = await at.visit('/jobs');
  const field = page.getByLabel('Open a request by its id');
  await field.fill(`X-Request-Id: ${id}`);
  await field.press('Enter');
  const panel = page.getByRole('complementary', { name: `refused call ${id}` });
  await panel.getByRole('heading', { name: 'Refused with 400 unknown_engine' }).waitFor();
  await panel.getByText('POST /v1/ocr').waitFor();
  await panel.getByRole('link', { name: at.sender.accountId }).waitFor();
  await page.context().close();
});

it.skipIf(missing)('moves no line where an id is none', async () => {
  const id = await send('reader');
  const page = await at.visit('/jobs');
  await row(page, id).waitFor();
  const before = await row(page, id).boundingBox();
  await page.getByLabel('Open a request by its id').fill('nothing');
  await page.getByLabel('Open a request by its id').press('Enter');
  await page.getByText(/No id \(ocr_/).waitFor();
  expect((await row(page, id).boundingBox())?.y).toBe(before?.y);
  await page.context().close();
});

it.skipIf(missing)('explains a failure: the attempt, what it cost, and that the rest came back', async () => {
  at.house.engines.script('reader', refuses('I do not read this.'));
  const id = await send('reader');
  at.house.engines.reset();
  const page = await at.visit(`/jobs?request=${id}`);
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

  const page = await at.visit(`/jobs?request=${foreign}`);
  await page.getByText('Retained, and shown to the account alone.').waitFor();
  expect(await page.locator('aside').innerText()).not.toContain('onerror');
  await page.context().close();

  await using theirs = await at.consoleOf(operator);
  const seen = await theirs.visit(`/jobs?request=${own}`);
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
  await page.getByText('Nothing waits and nothing is at work.').first().waitFor();
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
