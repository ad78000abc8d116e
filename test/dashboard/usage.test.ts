import { describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { newPerson } from '../house/person.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { Visit } from '../house/visit.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';

const missing = missingChromium();
const house = await sharedHouse('several');
const browser = missing === null ? await sharedChromium() : null;

const DAY_MS = 86_400_000;

describe.skipIf(browser === null)(
  `what an owner used, and what can be done about it${missing ? ` (${missing})` : ''}`,
  () => {
    it('shows the usage and the ledger of the days that stand in the address, and a month on demand', async () => {
      const owner = await newPerson(house);
      const { api_key } = await house.admin.createKey({ accountId: owner.accountId, label: 'sends' });
      expect((await house.callerWith(api_key).ocr(await pictureBody())).status).toBe(200);
      await using visit = await Visit.begin(browser, house);
      const { page } = visit;
      await visit.openAs(owner, '/usage?from=2026-01-05&to=2026-01-09');
      await page.getByText('No money has moved in these days').waitFor();
      expect(await page.getByRole('textbox', { name: 'First day (UTC)' }).inputValue()).toContain('2026');
      const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10));
      await page.goto(visit.url(`/usage?from=${from}&to=${to}`));
      const ledger = page.getByRole('region', { name: 'Ledger' });
      await ledger.getByRole('columnheader', { name: 'Balance after it' }).waitFor();
      const read = ledger.getByRole('row').filter({ hasText: 'Pages read' });
      expect((await read.getByRole('cell').allTextContents()).at(-1)).toBe('$9.9900');
      await page.reload();
      await ledger.getByRole('row').filter({ hasText: 'Top-up' }).waitFor();
      await page.getByText('Last month', { exact: true }).click();
      await page.waitForURL(/from=\d{4}-\d\d-01&to=/);
      await page.getByText('No money has moved in these days').waitFor();
      expect(visit.complaints).toEqual([]);
    });

    it('cancels a request that is at work, after its question', async () => {
      const gate = makeGate();
      house.engines.script('reader', async () => {
        await gate.opened;
        return says('late');
      });
      const owner = await newPerson(house);
      const { api_key } = await house.admin.createKey({ accountId: owner.accountId, label: 'cancels' });
      const { body } = await house.callerWith(api_key).ocr(await pictureBody('reader', { mode: 'async' }));
      await using visit = await Visit.begin(browser, house);
      const { page } = visit;
      await visit.openAs(owner, `/requests/${body.request_id}`);
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Cancel this request?' });
      await question.getByRole('button', { name: 'Cancel the request' }).click();
      await page
        .getByRole('heading', { level: 1 })
        .getByText(/cancelled|rejected|failed/)
        .waitFor();
      await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
      const { data } = await visit.graphql(`{ request(id: "${body.request_id}") { cancelledAt } }`);
      expect(data).toEqual({ request: { cancelledAt: expect.any(String) } });
      gate.open();
      house.engines.reset();
    });

    it('copies the body of a webhook byte by byte as it was signed', async () => {
      await using receiver = await WebhookReceiver.start();
      const url = receiver.at('/hook');
      const owner = await newPerson(house);
      const { api_key } = await house.admin.createKey({ accountId: owner.accountId, label: 'hears' });
      const sent = await pictureBody('reader', { mode: 'async', webhook_url: url });
      const { body } = await house.callerWith(api_key).ocr(sent);
      const [received] = await receiver.gets('/hook');
      await using visit = await Visit.begin(browser, house);
      const { page, context } = visit;
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await visit.openAs(owner, `/requests/${body.request_id}`);
      const deliveries = page.getByRole('region', { name: 'Deliveries' });
      await deliveries.getByText('delivered').waitFor();
      await deliveries.getByRole('row').filter({ hasText: 'delivered' }).getByRole('button').first().click();
      const shown = page.getByRole('region', { name: 'The body that was sent' });
      await shown.waitFor();
      await shown.locator('xpath=..').getByRole('button', { name: /Copy/ }).click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(Buffer.from(copied).equals(received?.bytes ?? Buffer.alloc(0))).toBe(true);
      expect(await shown.textContent()).not.toBe(copied);
    });
  },
);
