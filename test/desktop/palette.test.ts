import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`The palette, in a browser: skipped: ${missing}`);

/** 404 for a good key, 401 for one that is none. */
const UNKNOWN = '/v1/ocr/ocr_00000000000000000000000000';

let at: ConsoleHouse;
beforeAll(async () => {
  if (missing === null) at = await ConsoleHouse.open();
});
afterAll(() => at?.[Symbol.asyncDispose]());

it.skipIf(missing)(
  'has what is typed right after the key that opens it, and no key of the page works meanwhile',
  async () => {
    const page = await at.visit('/');
    await page.getByText('Needs attention').waitFor();
    await page.evaluate(async () => {
      const press = (key: string, more: KeyboardEventInit = {}) =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
      press('k', { ctrlKey: true });
      for (const key of 'firing') {
        await new Promise((resolve) => setTimeout(resolve)); // as fast as two events can be
        if (!document.activeElement?.matches('input')) press(key);
        else document.execCommand('insertText', false, key);
      }
    });
    const field = page.getByRole('textbox', { name: 'Find anything' });
    await until('all of it is in the field', async () => (await field.inputValue()) === 'firing');
    expect(await page.getByRole('button', { name: 'Leave wall mode (f)' }).count()).toBe(0);
    await page.context().close();
  },
);

it.skipIf(missing)('revokes a key of an account, after its question', async () => {
  const { email } = await at.house.admin.showAccount(at.sender.accountId);
  const { api_key } = await at.house.admin.createKey({ accountId: at.sender.accountId, label: 'scanner' });
  const caller = at.house.callerWith(api_key);
  expect((await caller.get(UNKNOWN)).status).toBe(404);
  const page = await at.visit('/');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`revoke ${email}`);
  await page.getByText(`Revoke scanner of ${email}`).click();
  const question = page.getByRole('dialog', { name: 'Revoke' });
  await question.getByText(/^Calls with scanner are refused from now on/).waitFor();
  await question.getByRole('button', { name: 'Revoke' }).click();
  await until('the key is refused', async () => (await caller.get(UNKNOWN)).status === 401);
  await page.context().close();
});

it.skipIf(missing)('leads to a refused call by the id that its answer had, and lists it on the overview', async () => {
  const { headers } = await at.sender.caller.ocr(await pictureBody('nobody'));
  const id = headers['x-request-id'] ?? '';
  const kept = `select id from refused_call where id = '${id.replace(/\W/g, '')}'`;
  await until('the call is kept', async () => (await readSql(at.house.product.databaseUrl, kept)).length === 1);
  const page = await at.visit('/');
  const refused = page.getByRole('region', { name: 'Refused calls' });
  await refused.getByText('400 unknown_engine').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(id);
  await page.getByRole('dialog').getByText('Refused with 400 unknown_engine').waitFor();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: `refused call ${id}` });
  await panel.getByRole('heading', { name: 'Refused with 400 unknown_engine' }).waitFor();
  await page.context().close();
});
