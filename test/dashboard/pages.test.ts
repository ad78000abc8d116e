import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { barriers } from '../house/barriers.ts';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { fails, says } from '../house/engine-answers.ts';
import { flaws } from '../house/looks.ts';
import { motionsDuring } from '../house/motion.ts';
import { pictureBody, urlBody } from '../house/ocr-body.ts';
import { newPerson, type Person } from '../house/person.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await sharedHouse();
const browser = missing === null ? await sharedChromium() : null;

/** Each page with something that stands there once it is full. */
const PAGES: ReadonlyArray<readonly [name: string, path: string, sign: string]> = [
  ['Home', '/', 'Latest requests'],
  ['Playground', '/playground', 'The same with a program'],
  ['Requests', '/requests', '1 request'],
  ['Request', '/requests/:request', 'What it cost, and why'],
  ['Usage and balance', '/usage', 'By engine'],
  ['Keys', '/keys', '1 key'],
  ['Webhooks', '/webhooks', '1 of 10 webhooks'],
  ['Webhook', '/webhooks/:webhook', 'Registration'],
  ['Status', '/status', 'Engines'],
  ['Account', '/account', 'Where you are signed in'],
  ['Not here', '/nowhere', 'There is no such page'],
];

/** A walk through all pages with a thorough look at each. */
const WALK_MS = 240_000;

/** What opens a dialog, and where. */
const DIALOGS = [
  [{ role: 'button', name: 'New key' }, '/keys'],
  [{ role: 'button', name: 'Rename a key' }, '/keys'],
  [{ role: 'button', name: 'Spending limit of a key' }, '/keys'],
  [{ role: 'button', name: 'Revoke a key' }, '/keys'],
  [{ role: 'button', name: 'New webhook' }, '/webhooks'],
  [{ role: 'button', name: 'Edit' }, '/webhooks/:webhook'],
  [{ role: 'button', name: 'New secret' }, '/webhooks/:webhook'],
  [{ role: 'button', name: 'Delete' }, '/webhooks/:webhook'],
  [{ role: 'switch', name: /Keep the texts/ }, '/account'],
  [{ role: 'button', name: 'Delete all texts…' }, '/account'],
] as const;

describe.skipIf(browser === null)(`every page${missing ? ` (${missing})` : ''}`, () => {
  let person: Person;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId, label: 'a key' });
    ids[':request'] = String((await house.callerWith(api_key).ocr(await pictureBody())).body.request_id);
    await using visit = await Visit.begin(browser, house);
    await visit.openAs(person, '/');
    const made = await visit.graphql<{ createWebhook: { id: string } }>(
      'mutation { createWebhook(url: "https://hooks.example.com/ocr") { id } }',
    );
    ids[':webhook'] = made.data?.createWebhook.id ?? '';
  });

  it('is accessible and fits, light and dark, wide and narrow', { timeout: WALK_MS }, async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.open('/');
    await page.getByLabel('E-mail').waitFor();
    expect(await flaws(page, 0), 'Sign in').toEqual([]);
    await visit.signIn(person.email, person.password);
    await page.getByText('Latest requests').waitFor();
    for (const [nth, [name, path, sign]] of PAGES.entries()) {
      await visit.open(path.replace(/:\w+/, (part) => ids[part] ?? ''));
      await page.getByText(sign, { exact: true }).first().waitFor();
      expect(await flaws(page, nth), name).toEqual([]);
    }
    expect(visit.complaints).toEqual([]);
  });

  it('is accessible under a question or a form, too', { timeout: WALK_MS }, async () => {
    for (const [turn, colorScheme] of (['light', 'dark'] as const).entries()) {
      await using visit = await Visit.begin(browser, house, { colorScheme, widthPx: 360 });
      const { page } = visit;
      await visit.openAs(person, '/keys');
      for (const [opener, path] of DIALOGS.filter((_dialog, at) => at % 2 === turn)) {
        await visit.open(path.replace(/:\w+/, (part) => ids[part] ?? ''));
        await page.getByRole(opener.role, { name: opener.name }).click();
        await page.getByRole('dialog').waitFor();
        expect(await barriers(page, '[role=dialog]', { all: true }), `${opener.name}, ${colorScheme}`).toEqual([]);
      }
      expect(visit.complaints).toEqual([]);
    }
  });

  it('moves nothing for who wants no motion, and moves elsewhere', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/keys');
    const act = async () => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').getByRole('checkbox').first().press('Space');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    expect(await motionsDuring(page, act)).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.reload();
    await page.getByRole('button', { name: 'New key' }).waitFor();
    expect(await motionsDuring(page, act)).toContainEqual(expect.stringMatching(/^transitionrun/));
    expect(visit.complaints).toEqual([]);
  });

  it('breaks long incidents on a phone', async () => {
    await using visit = await Visit.begin(browser, house, { widthPx: 360 });
    const { page } = visit;
    const incident = {
      id: 'inc_1',
      engine: 'x',
      impact: 'degraded',
      began_at: new Date().toISOString(),
      ended_at: null,
    };
    const summary = 'An engine with a rather long name failed more often than usual.';
    const json = { object: 'list', data: [{ ...incident, summary }], has_more: false };
    await page.route('**/v1/incidents*', (route) => route.fulfill({ json }));
    await visit.open('/status');
    await page.getByText(summary).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });

  it('reads a failed request again, as it was sent, with the document chosen again', async () => {
    const owner = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: owner.accountId, label: 'again' });
    house.engines.script('reader', fails(500, 'upstream overloaded'));
    const body = { ...(await pictureBody()), settings: { language: 'deu' } };
    const failed = await house.callerWith(api_key).ocr(body);
    expect(failed.status).toBe(502);
    const id = failed.headers['x-request-id'] ?? '';
    expect(id).toMatch(/^ocr_/);
    house.engines.script('reader', says('read at last'));
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(owner, `/requests/${id}`);
    const engineTime = page.getByRole('columnheader', { name: 'Engine time' });
    expect(await engineTime.getAttribute('title')).toContain('Engine time, all pages together');
    await page.getByRole('button', { name: 'Read again…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Read again' }).isDisabled()).toBe(true);
    const buffer = Buffer.from(String(body.input.data_base64), 'base64');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer });
    await dialog.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('read at last').first().waitFor();
    expect(new URL(page.url()).pathname).not.toBe(`/requests/${id}`);
    await page.getByText('"language": "deu"').waitFor();
    expect(await page.getByRole('button', { name: 'Read again…' }).count()).toBe(0);
    expect(visit.complaints).toEqual([]);
  });

  it('reads a request again of which nothing was to be kept, whose address is deleted, and keeps nothing either', async () => {
    const owner = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: owner.accountId, label: 'again' });
    const caller = house.callerWith(api_key);
    const sent = { ...urlBody('reader', 'https://nowhere.invalid/a.png'), store: false };
    const failed = await caller.ocr(sent);
    const id = failed.headers['x-request-id'] ?? '';
    expect(id).toMatch(/^ocr_/);
    house.engines.script('reader', says('read for once'));
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(owner, `/requests/${id}`);
    await page.getByRole('button', { name: 'Read again…' }).click();
    const dialog = page.getByRole('dialog');
    const { data_base64 } = (await pictureBody()).input;
    const file = { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from(String(data_base64), 'base64') };
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('Not retained').waitFor();
    expect(await page.content()).not.toContain('read for once');
  });

  it('sets what a key may spend, shows how much of it is left, and takes the limit away', async () => {
    const owner = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: owner.accountId, label: 'spends' });
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(owner, '/keys');
    await page.getByRole('button', { name: 'Spending limit of spends' }).click();
    await page.getByLabel('The key may spend').fill('0.02');
    await page.getByRole('button', { name: 'Set the limit' }).click();
    await page.getByText('$0.00 of $0.02 this month').waitFor();
    const caller = house.callerWith(api_key);
    expect((await caller.ocr(await pictureBody())).status).toBe(200);
    expect((await caller.ocr(await pictureBody())).status).toBe(200);
    expect((await caller.ocr(await pictureBody())).status).toBe(402);
    await page.reload();
    await page.getByText('$0.02 of $0.02 this month').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
    await page.getByRole('button', { name: 'Spending limit of spends' }).click();
    await page.getByRole('button', { name: 'Remove the limit' }).click();
    await page.getByText('none', { exact: true }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('sets for how long texts are kept, deletes all that there are, and hands over an export', {
    timeout: WALK_MS,
  }, async () => {
    const owner = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: owner.accountId, label: 'texts' });
    const caller = house.callerWith(api_key);
    const send = async () => (await caller.ocr(await pictureBody())).body.request_id;
    const first = await send();
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(owner, '/account');
    const days = page.getByLabel('Days for which texts are kept');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByText('Now: for ever.').waitFor();
    await days.fill('30');
    await save.click();
    const question = page.getByRole('dialog', { name: 'Keep texts for less time?' });
    await question.getByRole('button', { name: 'Leave it as it is' }).click();
    expect((await visit.graphql('{ account { textDays } }')).data).toEqual({ account: { textDays: null } });
    await save.click();
    await question.getByRole('button', { name: 'Delete older texts' }).click();
    await page.getByText('Now: 30 days').waitFor();
    expect((await visit.graphql('{ account { textDays } }')).data).toEqual({ account: { textDays: 30 } });
    await days.fill('60');
    await save.click();
    await page.getByText('Now: 60 days').waitFor();
    await days.fill('');
    await save.click();
    await page.getByText('Now: for ever.').waitFor();

    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download an export' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^ocr-router-.+\.tar\.gz$/);
    const archive = gunzipSync(await readFile(await file.path())).toString();
    expect(archive).toContain(first);
    expect(archive).toContain('manifest.json');

    await page.getByRole('button', { name: 'Delete all texts…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all texts', exact: true }).click();
    await page.getByText('The texts cannot be read any more').waitFor();
    expect((await caller.get(`/v1/ocr/${first}`)).status).toBe(410);
    const next = await send();
    expect((await caller.get(`/v1/ocr/${next}`)).status).toBe(200);
    expect(visit.complaints).toEqual([]);
  });

  it('can be reached and left by keys alone', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.open('/');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await page.getByText('Latest requests').waitFor();
    await page.getByRole('link', { name: 'Keys' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'New key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New key' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Requests' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: 'Requests' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('What it cost, and why').waitFor();
  });
});
