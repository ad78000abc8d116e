import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingChromium, openChromium } from '../house/chromium.ts';
import { unreadable } from '../house/large-text.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { newPerson, type Person } from '../house/person.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { until } from '../house/until.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await sharedHouse();

const PATHS = [
  '/',
  '/playground',
  '/requests',
  '/requests/:request',
  '/usage',
  '/keys',
  '/webhooks',
  '/webhooks/:webhook',
  '/status',
  '/account',
];
const USUAL_PX = 16;
const WIDTHS_PX = [1440, 960, 360];
/** A walk through all pages, in each width. */
const WALK_MS = 240_000;

describe.skipIf(missing !== null)(`text of twice the usual size${missing ? ` (${missing})` : ''}`, () => {
  let browser: Browser;
  let person: Person;
  let request: string;
  beforeAll(async () => {
    browser = await openChromium({ textPx: 2 * USUAL_PX });
    person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId, label: 'n'.repeat(60) });
    const body = ocrBody('pdf-text', makePdf([{ text: 'n'.repeat(80) }]), { include: ['words'] });
    request = (await house.callerWith(api_key).ocr(body)).body.request_id;
  });
  afterAll(() => browser?.close());

  it('can be read on every page', { timeout: WALK_MS }, async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.open('/');
    await page.getByLabel('E-mail').waitFor();
    const found = await inWidths('/', visit);
    await visit.openAs(person, '/');
    const made = await visit.graphql<{ createWebhook: { id: string } }>(
      'mutation { createWebhook(url: "https://hooks.example.com/ocr") { id } }',
    );
    const webhook = made.data?.createWebhook.id ?? '';
    for (const path of PATHS) {
      await visit.open(path.replace(':request', request).replace(':webhook', webhook));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await until('all has come', async () => (await page.locator('main [aria-busy=true]').count()) === 0);
      found.push(...(await inWidths(path, visit)));
    }
    expect(found).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });
});

async function inWidths(path: string, { page }: Visit): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await unreadable(page)).map((each) => `${path} at ${width}: ${each}`));
  }
  return found;
}
