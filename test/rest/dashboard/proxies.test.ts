import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { type House, openHouse } from '../../house/house.ts';
import { storePassword } from '../../house/person.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const behind = await openHouse({ env: { TRUSTED_PROXIES: '127.0.0.0/8, ::1' } });
const direct = await sharedHouse();
afterAll(() => behind[Symbol.asyncDispose]());

/** More wrong passwords for one e-mail from one address than are borne; the status of a login from `address` after them. */
async function statusAfterGuesses(house: House, address: string): Promise<number> {
  const [email, password] = [`${randomUUID()}@example.com`, 'correct horse battery staple'];
  const { account_id: accountId } = await house.admin.createAccount({ email });
  await storePassword(house, accountId, password);
  const login = (from: string, secret: string) =>
    new Browser(house.product).send('POST', '/api/login', { email, password: secret }, { 'x-forwarded-for': from });
  for (let guess = 0; guess < 12; guess++) await login('198.51.100.1', 'wrong');
  expect((await login('198.51.100.1', password)).status).toBe(429);
  return (await login(address, password)).status;
}

it('counts guesses by the address that a trusted proxy names', async () => {
  expect(await statusAfterGuesses(behind, '203.0.113.5')).toBe(200);
  // What somebody wrote into the header before the proxy did is not believed.
  expect(await statusAfterGuesses(behind, '203.0.113.5, 198.51.100.1')).toBe(429);
});

it('believes no address of whoever is not trusted', async () => {
  expect(await statusAfterGuesses(direct, '203.0.113.5')).toBe(429);
});
