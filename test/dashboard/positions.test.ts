import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { newPerson } from '../house/person.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await sharedHouse();
const browser = missing === null ? await sharedChromium() : null;

/** Dark points of a picture that is shown. */
function inkOf(picture: Locator): Promise<number> {
  return picture.evaluate(async (element) => {
    const image = element as HTMLImageElement; // by its role
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const paper = canvas.getContext('2d');
    paper?.drawImage(image, 0, 0);
    const points = paper?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return Array.from(points).filter((value, index) => index % 4 === 0 && value < 100).length;
  });
}

/** As the legend has it. */
function certaintyOf(percent: number): string {
  if (percent < 60) return 'doubtful';
  return percent < 85 ? 'unsure' : 'sure';
}

/** The box's colour by how sure its engine is. */
function coloursOf(box: Locator): Promise<string[]> {
  return box.evaluate((polygon) => {
    const own = polygon.getAttribute('data-certainty') ?? '';
    polygon.removeAttribute('data-lit');
    const colours = ['sure', 'unsure', 'doubtful'].map((certainty) => {
      polygon.setAttribute('data-certainty', certainty);
      const { stroke, fill } = getComputedStyle(polygon);
      return `${stroke} ${fill}`;
    });
    polygon.setAttribute('data-certainty', own);
    polygon.setAttribute('data-lit', 'true');
    return colours;
  });
}

const fox = new URL('../fixtures/quick-brown-fox.png', import.meta.url).pathname;

describe.skipIf(browser === null)(`where words stand${missing ? ` (${missing})` : ''}`, () => {
  it('is shown on the picture in the playground and, once its document is chosen, of the request, lit with its text; with files', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/playground');
    await page.getByRole('combobox', { name: 'Read with' }).click();
    await page.getByRole('option', { name: /Tesseract/ }).click();
    await page.locator('input[type=file]').first().setInputFiles(fox);
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByRole('tab', { name: 'On the page' }).click();
    await page.getByRole('img', { name: 'Page 1' }).waitFor();
    const words = page.getByLabel('Words of page 1');
    const word = words.getByText('fox', { exact: true }).first();
    await word.hover();
    const lit = page.locator('polygon[data-lit="true"]');
    await lit.waitFor();
    const [, percent] = /^fox: ([\d.]+)/.exec((await lit.locator('title').textContent()) ?? '') ?? [];
    expect(await lit.getAttribute('data-certainty')).toBe(certaintyOf(Number(percent)));
    expect(new Set(await coloursOf(lit)).size).toBe(3);
    const [box, picture] = [await lit.boundingBox(), await page.getByRole('img', { name: 'Page 1' }).boundingBox()];
    if (!box || !picture) throw new Error('nothing is shown');
    expect(box.x > picture.x && box.x + box.width < picture.x + picture.width).toBe(true);
    expect(box.y > picture.y && box.y + box.height < picture.y + picture.height).toBe(true);
    await lit.hover();
    await words.locator('[data-lit="true"]').getByText('fox').waitFor();

    await page.getByRole('button', { name: 'Download' }).click();
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Searchable PDF' }).click(),
    ]);
    expect(pdf.suggestedFilename()).toMatch(/^ocr_\w+\.pdf$/);
    expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-');

    await page.getByRole('link', { name: 'What happened, and what it cost' }).click();
    await page.getByText('On the page', { exact: true }).click();
    await page.getByText('Documents are not kept').waitFor();
    await page.locator('svg text').getByText('fox', { exact: true }).first().waitFor();
    await page.getByLabel('Words of page 1').getByText('fox', { exact: true }).first().hover();
    await page.locator('polygon[data-lit="true"]').waitFor();

    const chooser = page.getByLabel('The document of the request, to be drawn');
    await chooser.setInputFiles({
      name: 'another.pdf',
      mimeType: 'application/pdf',
      buffer: makePdf([{ text: 'another' }]),
    });
    await page.getByRole('alert').getByText('is not the one of the request').waitFor();
    expect(await page.getByRole('img', { name: 'Page 1' }).count()).toBe(0);
    await chooser.setInputFiles(fox);
    const drawn = page.getByRole('img', { name: 'Page 1' });
    await drawn.waitFor();
    expect(await inkOf(drawn)).toBeGreaterThan(100);
    expect(await page.getByText('Documents are not kept').count()).toBe(0);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('menuitem', { name: 'Searchable PDF', exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Download' }).click();
    const [hocr] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'hOCR' }).click(),
    ]);
    expect((await readFile(await hocr.path())).toString()).toContain('class="ocrx_word"');
    expect(visit.complaints).toEqual([]);
  });

  it('is shown on the pages of a PDF, which the service draws', async () => {
    const sentence = 'The quick brown fox jumps over the lazy dog, and the dog sleeps on.';
    const pdf = makePdf([1, 2].map((number) => ({ text: `${sentence}\nPage number ${number}.` })));
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), '/playground');
    await page.getByRole('combobox', { name: 'Read with' }).click();
    await page.getByRole('option', { name: /Tesseract/ }).click();
    const file = { name: 'fox.pdf', mimeType: 'application/pdf', buffer: pdf };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText('Settings', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Pages', exact: true }).fill('2');
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByRole('tab', { name: 'On the page' }).click();
    for (const number of [1, 2]) {
      if (number > 1) {
        await page.getByRole('combobox', { name: 'Page', exact: true }).click();
        await page.getByRole('option', { name: `Page ${number}` }).click();
      }
      const picture = page.getByRole('img', { name: `Page ${number}` });
      await picture.waitFor();
      expect(await inkOf(picture)).toBeGreaterThan(100);
    }
    expect(visit.complaints).toEqual([]);
  });

  it('shows the words of every page, also behind the first hundred', async () => {
    const person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId });
    const pdf = makePdf(Array.from({ length: 101 }, (_, nth) => ({ text: `Sheet ${nth + 1}` })));
    const body = ocrBody('pdf-text', pdf, { page_count: 101, include: ['words'] });
    const { request_id: id } = (await house.callerWith(api_key).ocr(body)).body;
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, `/requests/${id}`);
    await page.getByText('On the page', { exact: true }).click();
    await page.getByRole('region', { name: 'Words of page 1', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Part of the pages' }).click({ timeout: 10_000 });
    await page.getByRole('option', { name: 'Page 101', exact: true }).click();
    await page.getByRole('region', { name: 'Words of page 101' }).getByText('101').waitFor();
    expect(visit.complaints).toEqual([]);
  });
});
