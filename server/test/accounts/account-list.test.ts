import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { adminCommand } from '../../../test/house/command.ts';
import { runSql } from '../../../test/house/sql.ts';

const ADMIN = resolve(import.meta.dirname, '../../dist/admin/main.js');

const databaseUrl = await createDatabase();
const admin = await openHouseAdmin(databaseUrl);
afterAll(() => admin[Symbol.asyncDispose]());
beforeAll(async () => {
  for (const name of ['Carla', 'ann', 'bob']) await admin.createAccount({ email: `${name}@example.com`, creditUsd: 5 });
  await runSql(
    databaseUrl,
    `update wallet set owed = 20000000 where account_id = (select id from account where email like 'bob%')`,
  );
});

const emailsOf = ({ data }: Awaited<ReturnType<typeof admin.listAccounts>>) => data.map(({ email }) => email);

it('lists accounts by their addresses with what they have, a page at a time', async () => {
  const first = await admin.listAccounts({ limit: 2 });
  expect(first).toMatchObject({
    data: [
      { email: 'ann@example.com', tier: 'free', history: true, balance_usd: 5, held_usd: 0, owed_usd: 0 },
      { email: 'bob@example.com', balance_usd: 5, owed_usd: 0.02 },
    ],
    next: 'bob@example.com',
  });
  const second = await admin.listAccounts({ limit: 2, after: first.next ?? '' });
  expect([emailsOf(second), second.next]).toEqual([['Carla@example.com'], null]);
});

it('finds them by a part of the address, and those that owe something', async () => {
  expect(emailsOf(await admin.listAccounts({ search: 'CARL', limit: 9 }))).toEqual(['Carla@example.com']);
  expect(emailsOf(await admin.listAccounts({ owing: true, limit: 9 }))).toEqual(['bob@example.com']);
  expect(await admin.listAccounts({ search: 'nobody', limit: 9 })).toEqual({ data: [], next: null });
});

it('is a command: JSON, or a table for people', async () => {
  const env = { DATABASE_URL: databaseUrl };
  const { body } = await adminCommand<{ data: unknown[] }>(['account', 'list', '--search', 'ann'], env);
  expect(body).toMatchObject({ data: [{ email: 'ann@example.com', balance_usd: 5 }], next: null });
  const wish = ['account', 'list', '--limit', '1', '--table'];
  const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, ...wish], { env: { ...process.env, ...env } });
  expect(stdout).toMatch(/^email .*\nann@example\.com .* 5 .*\nThere are more: --after 'ann@example.com'\n$/);
  const refused = await adminCommand(['account', 'list', '--limit', '1001'], env);
  expect([refused.exitCode, refused.message]).toEqual([1, expect.stringContaining('must be 1 to 1000 accounts.')]);
});
