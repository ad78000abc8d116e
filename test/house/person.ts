import { randomBytes, randomUUID, scryptSync } from 'node:crypto';
import type { House } from './house.ts';
import { runSql } from './sql.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
}

const PASSWORD = 'correct horse battery staple';
/** A hash carries its own parameters; those of today take 32 MB and a third of a second, at each login again. */
const CHEAP = { N: 16, r: 1, p: 1 };

/** Someone with an account, 10 USD of credit and a password, and no key yet. */
export async function newPerson(house: House, wish: { history?: boolean } = {}): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const { account_id: accountId } = await house.admin.createAccount({
    email,
    creditUsd: 10,
    tier: 'unlimited',
    ...wish,
  });
  await storePassword(house, accountId, PASSWORD);
  return { email, password: PASSWORD, accountId };
}

/** Gives an account a password whose hash costs little to make and to compare. */
export async function storePassword(house: House, accountId: string, password: string): Promise<void> {
  const { N, r, p } = CHEAP;
  const salt = randomBytes(16);
  const hash = scryptSync(password.normalize('NFKC'), salt, 32, CHEAP);
  const stored = ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
  await runSql(house.databaseUrl, 'update account set password_hash = $2 where id = $1', [accountId, stored]);
}
