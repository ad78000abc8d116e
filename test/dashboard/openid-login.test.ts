import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers } from '../house/barriers.ts';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { openHouse } from '../house/house.ts';
import { STANDARD_CLIENT, StandardProvider } from '../house/standard-provider.ts';
import { Visit } from '../house/visit.ts';

const missing = missingChromium();
const provider = await StandardProvider.start();
const house = await openHouse({
  env: {
    IDP_ISSUER: provider.issuer,
    IDP_CLIENT_ID: STANDARD_CLIENT.id,
    IDP_CLIENT_SECRET: STANDARD_CLIENT.secret,
    REGISTRATION: 'true',
  },
});
const browser = missing === null ? await sharedChromium() : null;
async function close(): Promise<void> {
  await house[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
}
if (browser === null) await close(); // of a file that is skipped no hook runs
afterAll(close);

describe.skipIf(browser === null)(`a login at oidc-provider in a browser${missing ? ` (${missing})` : ''}`, () => {
  const sub = randomUUID();
  const email = `${sub}@example.com`;
  let visit: Visit;
  beforeAll(async () => {
    provider.configure({ dashboardUrl: house.product.dashboardUrl });
    provider.people.set(sub, { email, email_verified: true });
    visit = await Visit.begin(browser, house);
    // The provider's own pages ask for a font of elsewhere.
    await visit.context.route(/^https:/, (route) => route.abort());
  });
  afterAll(() => visit?.[Symbol.asyncDispose]());

  /** From the sign-in page through the provider's own pages. */
  async function signInAs(login: string): Promise<void> {
    const { page } = visit;
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.getByPlaceholder('Enter any login').fill(login);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  it('shows what to do where the person cancels there, and the way back', async () => {
    const { page } = visit;
    await visit.open('/');
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'You are not signed in' }).waitFor();
    await page.getByText('Sign in again and agree there').waitFor();
    expect(await barriers(page, 'html', { all: true })).toEqual([]);
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('makes the account and signs the person in', async () => {
    const { page } = visit;
    await signInAs(sub);
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    expect(new URL(page.url()).origin).toBe(house.product.dashboardUrl);
    expect(await visit.graphql('{ account { email } }')).toEqual({ data: { account: { email } } });
  });

  it('signs out here and there: the next login is asked for', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${house.product.dashboardUrl}/`);
    expect((await visit.context.cookies()).map(({ name }) => name)).not.toContain('session');
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.getByPlaceholder('Enter any login').waitFor();
  });

  it('asks for the password of an account that somebody registered with the address, and opens it by that', async () => {
    const { page } = visit;
    const other = { sub: randomUUID(), email: `${randomUUID()}@example.com`, password: 'correct horse battery staple' };
    provider.people.set(other.sub, { email: other.email, email_verified: true });
    await house.admin.createAccount({ email: other.email, password: other.password, emailVerified: false });
    await visit.open('/');
    await signInAs(other.sub);
    await page.getByRole('heading', { level: 1, name: 'Is this account yours?' }).waitFor();
    expect(await barriers(page, 'html', { all: true })).toEqual([]);
    await page.getByLabel('Password of the account').fill('not the password');
    await page.getByRole('button', { name: 'Connect and sign in' }).click();
    await page.getByRole('alert').getByText('The password is wrong.').waitFor();
    await page.getByLabel('Password of the account').fill(other.password);
    await page.getByRole('button', { name: 'Connect and sign in' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    expect(await visit.graphql('{ account { email } }')).toEqual({ data: { account: { email: other.email } } });
  });

  it('did all of that without a violation of the policy or an exception', () => {
    const { origin } = new URL(provider.issuer);
    expect(visit.complaints.filter((complaint) => !complaint.includes(origin))).toEqual([]);
  });
});
