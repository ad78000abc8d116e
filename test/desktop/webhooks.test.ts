import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { LOOPBACK_ALLOWED } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';

const missing = missingChromium();
if (missing) console.warn(`A request's webhook in the console, in a browser: skipped: ${missing}`);

let at: ConsoleHouse;
let receiver: WebhookReceiver;

beforeAll(async () => {
  if (missing !== null) return;
  receiver = await WebhookReceiver.start();
  at = await ConsoleHouse.open({ env: LOOPBACK_ALLOWED });
});
afterAll(async () => {
  await at?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

it.skipIf(missing)('follows the webhook of a request to its last attempt, and what is sent again by hand', async () => {
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  let healthy = false;
  const url = receiver.at('/hook', async () => {
    await told;
    return { status: healthy ? 200 : 500 };
  });
  const { body } = await at.sender.caller.ocr(await pictureBody('reader', { mode: 'async', webhook_url: url }));
  await receiver.gets('/hook');
  const page = await at.visit(`/requests?request=${body.request_id}`);
  const panel = page.getByRole('complementary', { name: `request ${body.request_id}` });
  const webhook = panel.getByRole('region', { name: 'Webhook' });
  await webhook.getByText('pending').waitFor();
  await webhook.getByText('not sent').waitFor();
  tell();
  await webhook.getByText('attempt 1,').waitFor();
  await webhook.getByText('attempt 4,').waitFor();
  expect(await webhook.getByText('HTTP 500', { exact: true }).count()).toBe(4);
  healthy = true;
  await webhook.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await webhook.getByText('attempt 1 of sending 2,').waitFor();
  await webhook.getByText('delivered').waitFor();
  await page.context().close();
});
