import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { newPerson } from '../house/person.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const house = await sharedHouse();
const browser = missing === null ? await sharedChromium() : null;

const named = missing ? ` (${missing})` : '';

describe.skipIf(browser === null)(`another account’s ids${named}`, () => {
  it('lead nowhere at any address of the dashboard, nor behind it', async () => {
    const owner = await newPerson(house);
    const { key_id, api_key } = await house.admin.createKey({ accountId: owner.accountId, label: 'the owner’s key' });
    const { request_id: requestId } = (await house.callerWith(api_key).ocr(await pictureBody())).body;
    await using home = await Visit.begin(browser, house);
    await home.openAs(owner, '/webhooks');
    const made = await home.graphql<{ createWebhook: { id: string } }>(
      'mutation { createWebhook(url: "https://hooks.example.com/owner") { id } }',
    );
    const webhookId = made.data?.createWebhook.id;
    const { data } = await home.graphql<{ sessions: { id: string }[] }>('{ sessions { id } }');
    const sessionId = data?.sessions[0]?.id;
    await home.open(`/requests/${requestId}`);
    await home.page.getByLabel('The text').getByText('read by reader').waitFor();

    await using visit = await Visit.begin(browser, house);
    const { page } = visit;
    await visit.openAs(await newPerson(house), `/requests/${requestId}`);
    await page.getByText('Your account has no such request').waitFor();
    await visit.open(`/webhooks/${webhookId}`);
    await page.getByText('Your account has no such webhook').waitFor();
    await visit.open(`/requests?key=${key_id}`);
    await page.getByText('No request matches').waitFor();
    expect(await page.content()).not.toMatch(/read by reader|hooks\.example\.com|the owner’s key/);

    const refused = [
      `{ request(id: "${requestId}") { id } }`,
      `{ ledger(accountId: "${owner.accountId}") { nodes { id } } }`,
      `{ usageSummary(accountId: "${owner.accountId}") { total { cost } } }`,
      `{ account(id: "${owner.accountId}") { email } }`,
      `{ webhookDeliveries(webhookId: "${webhookId}") { id } }`,
      `mutation { revokeKey(id: "${key_id}") }`,
      `mutation { labelKey(id: "${key_id}", label: "mine") { id } }`,
      `mutation { deleteWebhook(id: "${webhookId}") }`,
      `mutation { rotateWebhookSecret(id: "${webhookId}") { secret } }`,
      `mutation { setHistory(accountId: "${owner.accountId}", on: false) { id } }`,
    ];
    for (const query of refused) {
      const [error] = (await visit.graphql(query)).errors ?? [];
      expect(['not_found', 'insufficient_scope'], query).toContain(error?.extensions.code);
    }
    await visit.graphql(`mutation { revokeSession(id: "${sessionId}") }`);
    const usage = await page.evaluate(async (id) => (await fetch(`/api/usage?user_id=${id}`)).status, owner.accountId);
    expect(usage).toBe(404);
    await home.open('/account');
    await home.page.getByText(owner.email).first().waitFor();
    expect((await house.callerWith(api_key).get('/v1/usage')).status).toBe(200);
  });
});

describe.skipIf(browser === null)(`a page of another origin${named}`, () => {
  it('changes nothing with the cookie that the browser sends along', async () => {
    const attacks = hostilePage(house.product.dashboardUrl);
    const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(attacks));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // TCP: always an AddressInfo
    const person = await newPerson(house);
    await using visit = await Visit.begin(browser, house);
    await visit.openAs(person, '/keys');
    await visit.page.goto(`http://127.0.0.1:${port}/`); // the same site, so that the cookie goes along
    await visit.page.waitForFunction(() => document.title === 'done');
    expect(await visit.page.evaluate(() => (window as { read?: string[] }).read)).toEqual([]);
    await visit.open('/keys');
    await visit.page.getByText('No keys yet').waitFor();
    const { data } = await visit.graphql<{ account: { history: boolean } }>('{ account { history } }');
    expect(data?.account.history).toBe(true);
    server.close();
    server.closeAllConnections();
  });

  it('cannot show the dashboard in a frame', async () => {
    await using visit = await Visit.begin(browser, house);
    await visit.openAs(await newPerson(house), '/');
    await visit.page.goto('about:blank');
    await visit.page.setContent(`<iframe src="${visit.url('/')}"></iframe>`);
    const frame = await (await visit.page.waitForSelector('iframe')).contentFrame();
    await frame?.waitForLoadState();
    expect(await frame?.locator('#root').count()).toBe(0);
  });
});

/** Every way in which a page can send something elsewhere without asking, and two in which it may try to read. */
function hostilePage(target: string): string {
  const mutation = JSON.stringify({
    query: 'mutation { createKey { apiKey } setHistory(on: false) { id } logoutEverywhere }',
  });
  return `<!doctype html><iframe name="sink"></iframe>
<form id="plain" method="post" enctype="text/plain" target="sink" action="${target}/graphql">
  <input name='${mutation.slice(0, -1)},"x":"' value='"}'></form>
<form id="logout" method="post" target="sink" action="${target}/api/logout"></form>
<script>
  window.read = [];
  const body = ${JSON.stringify(mutation)};
  const tries = ['text/plain', 'application/x-www-form-urlencoded', 'application/json'].map((type) =>
    fetch('${target}/graphql', { method: 'POST', credentials: 'include', mode: type === 'application/json' ? 'cors' : 'no-cors', headers: { 'content-type': type }, body })
      .then((response) => response.text()).then((text) => text && window.read.push(text)).catch(() => {}));
  tries.push(fetch('${target}/api/logout', { method: 'POST', credentials: 'include', mode: 'no-cors' }).catch(() => {}));
  tries.push(fetch('${target}/graphql?query={account{email}}', { credentials: 'include' }).then((response) => response.text()).then((text) => window.read.push(text)).catch(() => {}));
  document.getElementById('plain').submit();
  let loads = 0;
  document.querySelector('iframe').onload = () => { loads += 1; if (loads === 1) document.getElementById('logout').submit(); };
  Promise.all(tries).then(() => setTimeout(function wait() { loads >= 2 ? (document.title = 'done') : setTimeout(wait, 20); }));
</script>`;
}
