import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { newPerson } from '../house/person.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { until } from '../house/until.ts';
import { Visit } from '../house/visit.ts';
import { verified, WebhookReceiver } from '../house/webhook-receiver.ts';

const PICTURE = fileURLToPath(new URL('../fixtures/quick-brown-fox.png', import.meta.url));
const missing = missingChromium();

const house = await sharedHouse('several');
const receiver = await WebhookReceiver.start();
const browser = missing === null ? await sharedChromium() : null;
afterAll(() => receiver[Symbol.asyncDispose]());

describe.skipIf(browser === null)(`a first visit${missing ? ` (${missing})` : ''}`, () => {
  let visit: Visit;
  let apiKey = '';
  beforeAll(async () => {
    visit = await Visit.begin(browser, house);
  });
  afterAll(() => visit?.[Symbol.asyncDispose]());

  it('signs in, at the address that was asked for', async () => {
    const { page } = visit;
    const person = await newPerson(house);
    await visit.open('/keys');
    await visit.signIn(person.email, 'not the password');
    await page.getByRole('alert').getByText('The e-mail or the password is wrong.').waitFor();
    await visit.signIn(person.email, person.password);
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await page.getByText('No keys yet').waitFor();
    expect(new URL(page.url()).pathname).toBe('/keys');
  });

  it('keeps the session where no script can read it', async () => {
    const [cookie] = await visit.context.cookies();
    expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(await visit.page.evaluate(() => document.cookie)).toBe('');
    const stored = await visit.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(stored).not.toMatch(/ey[\w-]+\.ey|sk-ocr-/);
  });

  it('makes a first key, shown once with a call that works as it stands', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Create your first key' }).click();
    await page.getByLabel('Name').fill('first');
    await page.getByRole('button', { name: 'Create key' }).click();
    apiKey = (await page.getByLabel('The key', { exact: true }).textContent()) ?? '';
    expect(apiKey).toMatch(/^sk-ocr-\w{38}$/);
    const command = (await page.getByLabel('A first call with curl').textContent()) ?? '';
    const { url, headers, body } = curlParts(command);
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ status: 'succeeded', extracted_text: 'READY' });
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('cell', { name: `${apiKey.slice(0, 11)}…` }).waitFor();
    expect(await page.content()).not.toContain(apiKey);
  });

  it('reads a first document in the playground, and says what it costs before and after', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByRole('combobox', { name: 'Read with' }).click();
    await page.getByRole('option', { name: /Scripted reader/ }).click();
    await page.locator('input[type=file]').setInputFiles(PICTURE);
    await page.getByText('reader, 1 page').waitFor();
    await page.getByText('$0.01', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByLabel('Plain text').getByText('read by reader').waitFor();
    await page.getByText('$0.01 charged').waitFor();
    await page.getByRole('link', { name: 'What happened, and what it cost' }).click();
    await page.getByText('1 page with reader at $0.01').waitFor();
    await page.getByLabel('The text').getByText('read by reader').waitFor();
    await page.getByText('playground', { exact: true }).waitFor();
  });

  it('registers a webhook, and its test arrives signed with the secret that was shown', async () => {
    const { page } = visit;
    const url = receiver.at('/hooks/ocr');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Register a URL' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill(url);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const secret = (await page.getByLabel('The secret', { exact: true }).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('link', { name: url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const [received] = await receiver.gets('/hooks/ocr');
    if (!received) throw new Error('nothing was received');
    expect(verified(received, secret)).toMatchObject({ event: 'webhook.test' });
    await page.getByRole('cell', { name: 'delivered' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByLabel('The body that was sent').getByText('webhook.test').waitFor();
  });

  it('sends a delivery again, and rotates the secret so that both sign', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Send again' }).click();
    const [first, again] = await receiver.gets('/hooks/ocr', 2);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    const secret = (await page.getByLabel('The secret', { exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText('The former secret signs, too').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const third = (await receiver.gets('/hooks/ocr', 3))[2];
    if (!third) throw new Error('nothing was received');
    expect(String(third.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(verified(third, secret)).toMatchObject({ event: 'webhook.test' });
  });

  it('shows the headers of each attempt as its receiver got them, one of a secret that has changed, too', async () => {
    const { page } = visit;
    const received = await receiver.gets('/hooks/ocr', 3);
    await page.reload();
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    await until('all attempts are listed', async () => (await rows.count()) === 4);
    const shown: Record<string, string>[] = [];
    for (const place of [1, 2, 3]) {
      await rows.nth(place).getByRole('button', { name: 'More' }).click();
      shown.push(await headersOn(page));
      await rows.nth(place).getByRole('button', { name: 'Less' }).click();
    }
    const sent = received.map(({ headers }) => headers).toReversed();
    expect(shown.map((headers) => headers['webhook-signature'])).toEqual(sent.map((each) => each['webhook-signature']));
    for (const [place, headers] of shown.entries()) expect(sent[place]).toMatchObject(headers);
    expect(Object.keys(shown[0] ?? {})).toEqual(
      expect.arrayContaining(['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature']),
    );
    expect(await page.content()).not.toContain('whsec_');
  });

  it('revokes the key, which is refused from then on', async () => {
    const { page } = visit;
    const caller = house.callerWith(apiKey);
    expect((await caller.get('/v1/usage')).status).toBe(200);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Revoke first' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('No keys yet').waitFor();
    await until('the key is refused', async () => (await caller.get('/v1/usage')).status === 401);
  });

  it('signs out, here and on the server', async () => {
    const { page, context } = visit;
    const [cookie] = await context.cookies();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    const replayed = await fetch(visit.url('/graphql'), {
      method: 'POST',
      headers: {
        cookie: `session=${cookie?.value}`,
        origin: new URL(visit.url('/')).origin,
        'content-type': 'application/json',
      },
      body: '{"query":"{ sessions { id } }"}',
    });
    expect(replayed.status).toBe(401);
  });

  it('did all of that without a violation of the policy or an exception', () => {
    expect(visit.complaints).toEqual([]);
  });
});

/** The headers among the facts of the attempt that is open. */
async function headersOn(page: Page): Promise<Record<string, string>> {
  const facts = page.locator('dl').filter({ hasText: 'webhook-id' });
  const [names, values] = [await facts.locator('dt').allTextContents(), await facts.locator('dd').allTextContents()];
  const all = names.map((name, place): [string, string] => [name, values[place] ?? '']);
  return Object.fromEntries(all.filter(([name]) => name === name.toLowerCase()));
}

/** The call that a shell would make of the command. */
function curlParts(command: string): { url: string; headers: [string, string][]; body: string } {
  const url = /curl -s (\S+)/.exec(command)?.[1] ?? '';
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ]);
  return { url, headers, body: /-d '([^']+)'/.exec(command)?.[1] ?? '' };
}
