import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { show, wrongInWidths } from '../house/console-walk.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql, runSql } from '../house/sql.ts';
import { unfit } from '../house/unfit.ts';

const missing = missingChromium();
if (missing) console.warn(`The console in other places, in a browser: skipped: ${missing}`);

/** Without a blank at which a line could end. */
const LONG = 'n'.repeat(200);
const EMAIL = `${LONG}@example.com`;
/** Nearly all that a wallet holds: nine billion dollars, in nano-dollars. */
const MOST_NANO = '9007199254740993000';
const PATHS = [
  '/',
  '/engines',
  '/engines?view=table',
  '/engines/long',
  '/engines/long?tab=settings',
  '/requests',
  '/queue',
  '/accounts',
  '/accounts?sort=-requests',
  '/alerts',
];

let at: ConsoleHouse;
let id: string;

beforeAll(async () => {
  if (missing !== null) return;
  at = await ConsoleHouse.open({ engines: { reader: {}, long: { name: LONG } } });
  id = (await at.sender.caller.ocr(await pictureBody('long'))).body.request_id;
  const { databaseUrl } = at.house;
  const { accountId } = at.sender;
  await runSql(databaseUrl, 'update account set email = $2, demo = true where id = $1', [accountId, EMAIL]);
  await runSql(databaseUrl, 'update api_key set label = $2 where account_id = $1', [accountId, LONG]);
  const HUGE =
    'update wallet set posted = $2, spent = $2, requests = 1234567890, pages = 9876543210 where account_id = $1';
  await runSql(databaseUrl, HUGE, [accountId, MOST_NANO]);
  const REFUSED = `insert into refused_hour (hour, engine, account_id, key_id, status, code, calls)
    values (date_trunc('hour', now()), 'long', '', '', 503, 'engine_unavailable', 1234567890)`;
  await runSql(databaseUrl, REFUSED);
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('fits, whatever things are called and however much there is', async () => {
  const page = await at.visit('/');
  const paths = [...PATHS, `/requests?request=${id}`, `/accounts?account=${at.sender.accountId}`];
  expect(await wrongInWidths(page, paths, beyond)).toEqual([]);
  await page.getByText('$9,007,199,254').first().waitFor();
  await show(page, '/engines');
  await page.getByRole('article').getByText('1,234,567,890 calls refused').waitFor();
  await page.context().close();
});

it.skipIf(missing).each([
  ['de-DE', 'Asia/Kolkata'],
  ['ar-EG', 'America/St_Johns'],
  ['fr-FR', 'Asia/Kathmandu'],
])('writes times of the reader’s zone, and figures alike, in a browser of %s in %s', async (locale, timezoneId) => {
  const [row] = await readSql<{ at: Date }>(
    at.house.databaseUrl,
    `select created_at as at from ocr_request where id = '${id}'`,
  );
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const shown = new Intl.DateTimeFormat('en-GB', { ...clock, timeZone: timezoneId }).format(row?.at);
  const page = await at.visit('/requests?time=any', { locale, timezoneId });
  // With its day where that has ended in this zone since.
  const inRow = new RegExp(`^(${shown}|\\d\\d \\w+, ${shown.slice(0, 5)})$`);
  await page.getByRole('row').filter({ hasText: id }).getByText(inRow).waitFor();
  await show(page, `/requests?request=${id}&time=any`);
  await page.getByRole('complementary').getByText(shown.slice(0, 5)).first().waitFor();
  for (const path of PATHS) {
    await show(page, path);
    expect(await page.locator('main').innerText(), path).not.toMatch(
      /\p{Script=Arabic}|\d\u202f\d|\d,\d\d?\s?(€|\$|%|s\b)/u,
    );
  }
  await show(page, `/accounts?account=${at.sender.accountId}`);
  await page.getByRole('complementary').getByText('$9,007,199,254').first().waitFor();
  await page.context().close();
});

/** What does not fit the window, the page in it, or the panel beside its list, in the next frame. */
async function beyond(page: Page): Promise<string[]> {
  const parts = await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    return [...document.querySelectorAll('main, aside section')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth, clientWidth, textContent }) => {
        return `${tagName} scrolls sideways by ${scrollWidth - clientWidth} px: ${textContent?.slice(0, 40)}`;
      });
  });
  return [...(await unfit(page)), ...parts];
}
