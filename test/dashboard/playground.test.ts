import type { Route } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { DocumentWeb } from '../house/document-web.ts';
import { type EngineAnswer, fails, says } from '../house/engine-answers.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { makePdf } from '../house/pdf.ts';
import { newPerson } from '../house/person.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await openHouse({ engines: { reader: {}, other: { price_per_page_usd: 0.03 } }, env: LOOPBACK_ALLOWED });
const browser = missing === null ? await sharedChromium() : null;
if (browser === null) await house[Symbol.asyncDispose](); // of a file that is skipped no hook runs
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

async function atThePlayground(wish: { history?: boolean } = {}): Promise<Visit> {
  const visit = await Visit.begin(browser, house);
  await visit.openAs(await newPerson(house, wish), '/playground');
  await visit.page.getByRole('combobox', { name: 'Read with' }).click();
  await visit.page.getByRole('option', { name: /Scripted reader/ }).click();
  await visit.page.getByRole('button', { name: 'Use our sample' }).click();
  return visit;
}

/** An engine that answers when it is told to. */
function held(answer: EngineAnswer) {
  const { promise, resolve } = Promise.withResolvers<EngineAnswer>();
  return { script: () => promise, release: () => resolve(answer) };
}

describe.skipIf(browser === null)(`the playground${missing ? ` (${missing})` : ''}`, () => {
  it('follows a request in the background, and shows its text when it has ended', async () => {
    const slow = held(says('read in the background'));
    house.engines.script('reader', slow.script);
    await using visit = await atThePlayground();
    const { page } = visit;
    await page.getByText('Settings', { exact: true }).click();
    await page.getByLabel('In the background (async)').check();
    await page.getByRole('button', { name: 'Read it' }).click();
    const run = page.getByRole('region', { name: 'reader', exact: true });
    await run.getByText('processing').waitFor();
    slow.release();
    await run.getByLabel('Plain text').getByText('read in the background').waitFor();
    await run.getByText('succeeded').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('reads in the foreground only where the account keeps no texts, and says plainly that none was kept', async () => {
    house.engines.script('reader', says('read and forgotten'));
    await using visit = await atThePlayground({ history: false });
    const { page } = visit;
    await page.getByText('Settings', { exact: true }).click();
    expect(await page.getByLabel('In the background (async)').isDisabled()).toBe(true);
    await page.getByText('Not possible while your account keeps no texts.').waitFor();
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByLabel('Plain text').getByText('read and forgotten').waitFor();
    await page.getByRole('link', { name: 'What happened, and what it cost' }).click();
    await page.getByText('Not retained').waitFor();
    expect(await page.content()).not.toContain('read and forgotten');
  });

  it('shows two engines side by side, with what differs, time and cost', async () => {
    house.engines.script('reader', says('the quick brown fox'));
    house.engines.script('other', says('the quick red fox'));
    await using visit = await atThePlayground();
    const { page } = visit;
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: /Scripted other/ }).click();
    await page.getByText('other, 1 page').waitFor();
    await page.getByText('$0.03', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Read it with both' }).click();
    const difference = page.getByLabel('Both texts, with what differs');
    await difference.waitFor();
    expect(await difference.locator('del').allTextContents()).toEqual(['brown']);
    expect(await difference.locator('ins').allTextContents()).toEqual(['red']);
    await page.getByText(/^reader: .+, \$0\.01 · other: .+, \$0\.03$/).waitFor();
  });

  it('says plainly that no answer came, and pays once for what is sent again then', async () => {
    house.engines.script('reader', says('read once'));
    await using visit = await atThePlayground();
    const { page } = visit;
    const lost = async (route: Route) => {
      await route.fetch();
      await route.abort('connectionreset');
    };
    await page.route('**/v1/ocr', lost, { times: 1 });
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByText(/^No answer, after/).waitFor();
    await page.getByText(/not known whether it was read/).waitFor();
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByLabel('Plain text').getByText('read once').waitFor();
    expect(house.engines.calls('reader')).toHaveLength(1);
    await page
      .getByRole('link', { name: /^Available/ })
      .getByText('$9.99')
      .waitFor();
    // The next click is a request of its own.
    await page.getByRole('button', { name: 'Read it' }).click();
    await page
      .getByRole('link', { name: /^Available/ })
      .getByText('$9.98')
      .waitFor();
    expect(house.engines.calls('reader')).toHaveLength(2);
  });

  it('offers a URL once that two webhooks have', async () => {
    await using visit = await atThePlayground();
    const { page } = visit;
    for (const label of ['one', 'another']) {
      await visit.graphql(`mutation { createWebhook(url: "https://hooks.example.com/ocr", label: "${label}") { id } }`);
    }
    await page.reload();
    await page.getByText('Settings', { exact: true }).click();
    await page.getByLabel('In the background (async)').check();
    await page.locator('input').and(page.getByLabel('Webhook URL')).click();
    await page.getByRole('option', { name: 'https://hooks.example.com/ocr' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('shows what the service says of a request that it refuses, and of an engine that fails', async () => {
    house.engines.script('reader', fails(500, 'out of order'));
    await using visit = await atThePlayground();
    const { page } = visit;
    await page.getByRole('button', { name: 'Read it' }).click();
    await page
      .getByRole('alert')
      .getByText(/reader|provider|engine/i)
      .first()
      .waitFor();
    await page.getByText('Settings', { exact: true }).click();
    await page.getByLabel('Page range').fill('7-');
    await page.getByText(/page_range/).waitFor();
    await page.getByRole('link', { name: 'What happened, and what it cost' }).click();
    await page.getByRole('heading', { level: 1, name: /ocr_/ }).waitFor();
    await page.getByText('out of order').first().waitFor();
  });

  it('says what a document would cost before it is sent, shows its first page, and reads all pages when asked to', async () => {
    await using visit = await atThePlayground();
    const { page } = visit;
    const buffer = makePdf([1, 2, 3].map((number) => ({ text: `Page number ${number}.` })));
    const file = { name: 'three.pdf', mimeType: 'application/pdf', buffer };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText('reader, 1 of 3 pages').waitFor();
    await page.getByText('$0.01', { exact: true }).waitFor();
    await page.locator('img[src^="blob:"]').waitFor();
    await page.getByRole('button', { name: 'Read all 3 pages' }).click();
    await page.getByText('reader, 3 pages').waitFor();
    await page.getByText('$0.03', { exact: true }).waitFor();
    expect(house.engines.calls('reader')).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  it('counts the pages of a document at a URL when it is told to, and fetches none before', async () => {
    await using web = await DocumentWeb.start();
    const url = web.put('/three.pdf', {
      bytes: makePdf([1, 2, 3].map((number) => ({ text: `Page number ${number}.` }))),
    });
    await using visit = await atThePlayground();
    const { page } = visit;
    await page.getByText('URL', { exact: true }).click();
    await page.locator('input[type=url]').fill(url);
    await page.getByText('reader, 1 page', { exact: true }).waitFor();
    expect(web.hits).toEqual([]);
    await page.getByRole('button', { name: 'Fetch it to count its pages' }).click();
    await page.getByText('reader, 1 of 3 pages').waitFor();
    await page.getByRole('button', { name: 'Read all 3 pages' }).click();
    await page.getByText('$0.03', { exact: true }).waitFor();
    expect(house.engines.calls('reader')).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  it('keeps the file that was chosen while the sample was still on its way', async () => {
    const sample = Promise.withResolvers<void>();
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await page.route('**/static/sample.png', async (route) => {
      await sample.promise;
      await route.continue();
    });
    await visit.openAs(await newPerson(house), '/playground');
    await page.getByRole('button', { name: 'Use our sample' }).click();
    const file = { name: 'own.pdf', mimeType: 'application/pdf', buffer: makePdf([{ text: 'Own.' }]) };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText('own.pdf').first().waitFor();
    const arrived = page.waitForResponse('**/static/sample.png');
    sample.resolve();
    await (await arrived).finished();
    await page.getByText(/base64 < 'own.pdf'/).waitFor();
    expect(await page.getByText('sample.png').count()).toBe(0);
  });

  it('shows the page beside the text of an engine that does not tell where it stands', async () => {
    house.engines.script('reader', says('read without places'));
    await using visit = await atThePlayground();
    const { page } = visit;
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByRole('tab', { name: 'On the page' }).click();
    await page.getByRole('img', { name: 'Page 1' }).waitFor();
    await page.getByLabel('Words of page 1').getByText('read without places').waitFor();
  });

  it('shows the request as code that names the settings', async () => {
    await using visit = await atThePlayground();
    const { page } = visit;
    await page.getByText('Settings', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Language' }).fill('ja');
    const shown = (language: string) => page.getByLabel(`The request in ${language}`);
    await shown('curl')
      .filter({ hasText: `base64 < 'sample.png'` })
      .filter({ hasText: '"settings":{"language":"ja"}' })
      .waitFor();
    await page.getByText('Python', { exact: true }).click();
    await shown('Python').filter({ hasText: 'open("sample.png", "rb")' }).waitFor();
  });
});
