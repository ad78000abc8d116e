import { randomUUID } from 'node:crypto';
import type { House } from './house.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
}

const PASSWORD = 'correct horse battery staple';

/** Someone with an account, 10 USD of credit and a password, and no key yet. */
export async function newPerson(house: House, wish: { history?: boolean } = {}): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const { account_id: accountId } = await house.admin.createAccount({
    email,
    password: PASSWORD,
    creditUsd: 10,
    tier: 'unlimited',
    ...wish,
  });
  return { email, password: PASSWORD, accountId };
}
