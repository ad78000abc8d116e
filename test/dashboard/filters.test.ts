import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers } from '../house/barriers.ts';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { fails } from '../house/engine-answers.ts';
import { heard } from '../house/heard.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { newPerson, type Person } from '../house/person.ts';
import { until } from '../house/until.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await openHouse();
const browser = missing === null ? await sharedChromium() : null;
if (browser === null) await house[Symbol.asyncDispose](); // of a file that is skipped no hook runs
afterAll(() => house[Symbol.asyncDispose]());

describe.skipIf(browser === null)(`filters of the dashboard${missing ? ` (${missing})` : ''}`, () => {
  let person: Person;
  beforeAll(async () => {
    person = await newPerson(house);
    const { api_key } = await house.admin.createKey({ accountId: person.accountId, label: 'in use' });
    const old = await house.admin.createKey({ accountId: person.accountId, label: 'revoked' });
    await house.admin.revokeKey(old.key_id);
    const caller = house.callerWith(api_key);
    await caller.ocr(await pictureBody());
    await caller.ocr(await pictureBody());
    house.engines.script('reader', fails(400, 'no such page'));
    await caller.ocr(await pictureBody());
    house.engines.reset();
  });

  it('say what they have found to those who do not see it, each time that another is chosen', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/requests');
    await page.getByRole('heading', { name: '3 requests' }).waitFor();
    expect(await heard(page)).toEqual('');
    await choose(page, 'Status', 'failed');
    await until('one is told', async () => (await heard(page)) === '1 request');
    await choose(page, 'Status', 'partial');
    await until('one is told again', async () => (await heard(page)) === '1 request');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await until('all are told', async () => (await heard(page)) === '3 requests');
    await choose(page, 'Mode', 'In the background (async)');
    await until('none is told', async () => (await heard(page)) === 'No request matches');
    await visit.open('/keys');
    await page.getByRole('switch', { name: 'Show revoked (1)' }).click();
    await until('keys are told', async () => (await heard(page)) === '2 keys');
    await visit.open('/usage');
    await page.getByText('By engine').waitFor();
    expect(await heard(page)).toEqual('');
    await page.getByText('7 days', { exact: true }).click();
    await until('the usage is told', async () => (await heard(page)) === '3 requests, $0.02');
    await page.getByText('Last month', { exact: true }).click();
    await until('that nothing was used is told', async () => (await heard(page)) === '0 requests, $0.00');
    expect(visit.complaints).toEqual([]);
  });

  it('say of a day that is half written how to write it, and what counts until then', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/requests');
    await page.getByRole('heading', { name: '3 requests' }).waitFor();
    const from = page.getByRole('textbox', { name: 'From' });
    const complaint = page.getByRole('alert');
    await from.pressSequentially('2020-1');
    expect(await complaint.count()).toBe(0); // it is being written
    await from.press('Tab');
    await complaint.getByText('Write it as YYYY-MM-DD.', { exact: true }).waitFor();
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page), colorScheme).toEqual([]);
    }
    await from.press('End');
    await from.pressSequentially('0-09');
    await complaint.waitFor({ state: 'detached' });
    await until('it counts', () => page.url().endsWith('?from=2020-10-09'));
    await from.press('Backspace');
    await from.press('Enter');
    await complaint.getByText('Write it as YYYY-MM-DD. 2020-10-09 still counts.', { exact: true }).waitFor();
    expect(page.url()).toMatch(/\?from=2020-10-09$/);
    await from.fill('');
    await complaint.waitFor({ state: 'detached' });
    await until('nothing counts', () => page.url().endsWith('/requests?'));
    expect(visit.complaints).toEqual([]);
  });

  it('tell what of an address they do not understand, and go by the rest', async () => {
    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(person, '/requests?status=foo,failed&mode=slow&from=2026-02-31&to=soon');
    await page.getByRole('heading', { name: '1 request' }).waitFor();
    const told = page.getByRole('alert');
    await told
      .getByText(
        'Not understood in the address, and left out: status “foo”, mode “slow”, from “2026-02-31”, to “soon”.',
        { exact: true },
      )
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await choose(page, 'Status', 'succeeded');
    await told.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?status=failed%2Csucceeded');
    await visit.open('/requests?engine=of-before&key=key_of_before');
    await page.getByText('Clear a filter to see more.').waitFor();
    for (const [name, value] of [
      ['Engine', 'of-before'],
      ['Key', 'key_of_before'],
    ] as const) {
      expect(await page.getByRole('combobox', { name, exact: true }).inputValue()).toBe(value);
    }
    await visit.open('/usage?from=2026-11-20&to=2026-11-10');
    await page.getByText('left out: from “2026-11-20”, to “2026-11-10”.').waitFor();
    expect(visit.complaints).toEqual([]);
  });
});

/** Chooses from the list of a field, by keys. */
async function choose(page: Page, field: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).press('ArrowDown');
  await page.getByRole('option', { name: choice, exact: true }).click();
  await page.keyboard.press('Escape');
}
