import { describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { says } from '../house/engine-answers.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { newPerson } from '../house/person.ts';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { Visit } from '../house/visit.ts';

/** Each would set `window.taken`, or leave the page, if it were ever more than text. */
const CORPUS = [
  '<script>window.taken = 1</script>',
  '<img src=x onerror="window.taken = 1">',
  '"><svg onload="window.taken = 1">',
  "'-(window.taken=1)-'",
  '<iframe srcdoc="<script>parent.taken = 1</script>"></iframe>',
  '<a href="javascript:window.taken=1">click</a> [click](javascript:window.taken=1)',
  '![picture](x" onerror="window.taken=1)',
  '<style>* { display: none }</style><link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '</pre></section><form action=https://evil.example><button autofocus onfocus="window.taken=1">',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.taken=1>',
  '{{constructor.constructor("window.taken=1")()}} #{window.taken=1}',
  '\u202Egnp.exe <!--><img src=x onerror=window.taken=1>-->',
];
const TEXT = CORPUS.join('\n\n');

const missing = missingChromium();
const house = await sharedHouse('several');
const browser = missing === null ? await sharedChromium() : null;

/** Nothing ran, nothing was asked of anybody else, and the text stands there as text. */
async function expectTextOnly(visit: Visit, label: string, text: string): Promise<void> {
  const place = visit.page.getByLabel(label, { exact: true });
  await place.waitFor();
  expect(await place.evaluate((element) => element.textContent)).toContain(text.trim());
  expect(await place.locator('script, img, svg, iframe, a, style, link, meta, form, math').count()).toBe(0);
  expect(await visit.page.evaluate(() => (window as { taken?: unknown }).taken)).toBeUndefined();
}

describe.skipIf(browser === null)(`documents whose text is markup${missing ? ` (${missing})` : ''}`, () => {
  it('stay text in the playground, in every view and in the difference', async () => {
    house.engines.script('reader', says(TEXT));
    house.engines.script('other', says(`${TEXT}\n\nand <b>more</b>`));
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) foreign.push(request.url());
    });
    await visit.openAs(await newPerson(house), '/playground');
    await page.getByRole('combobox', { name: 'Read with' }).click();
    await page.getByRole('option', { name: /Scripted reader/ }).click();
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: /Scripted other/ }).click();
    await page.getByRole('button', { name: 'Use our sample' }).click();
    await page.getByRole('button', { name: 'Read it with both' }).click();
    await expectTextOnly(visit, 'Both texts, with what differs', '<b>more</b>');
    const reader = page.getByRole('region', { name: 'reader', exact: true });
    await reader.getByRole('tab', { name: 'Markdown' }).click();
    await expectTextOnly(visit, 'As the engine wrote it', CORPUS[1] ?? '');
    await reader.getByRole('tab', { name: 'Rendered' }).click();
    await expectTextOnly(visit, 'As it is meant to be read', CORPUS[0] ?? '');
    await reader.getByRole('tab', { name: 'JSON' }).click();
    await reader.getByLabel('The whole answer').waitFor();
    await expectTextOnly(visit, 'The whole answer', '<svg onload=');
    expect(foreign).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  it('stay text on the page of the request, whole and page by page, warnings and names too', async () => {
    const person = await newPerson(house);
    const hostile = CORPUS[1] ?? '';
    const { api_key } = await house.admin.createKey({ accountId: person.accountId, label: hostile });
    house.engines.script('reader', says(TEXT));
    const body = ocrBody('reader', await picture(), { [hostile]: 1 });
    const { request_id: id, extracted_text: text } = (await house.callerWith(api_key).ocr(body)).body;
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, `/requests/${id}`);
    await expectTextOnly(visit, 'The text', String(text));
    await page.getByText('Rendered', { exact: true }).click();
    await expectTextOnly(visit, 'The text as it is meant to be read', CORPUS[0] ?? '');
    await page.getByText('By page', { exact: true }).click();
    await expectTextOnly(visit, 'Text of page 1', CORPUS[1] ?? '');
    await page.getByText(hostile, { exact: true }).first().waitFor();
    await visit.open('/keys');
    await page.getByRole('cell', { name: hostile }).first().waitFor();
    await visit.open('/usage');
    await page.getByRole('cell', { name: hostile }).first().waitFor();
    await visit.open('/requests');
    await page.getByText(hostile).first().waitFor();
    expect(await page.evaluate(() => (window as { taken?: unknown }).taken)).toBeUndefined();
    expect(visit.complaints).toEqual([]);
  });
});
