import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { LoginLimiter } from '../../src/accounts/login/login-limiter.ts';
import { openPool, query } from '../../src/database/pool.ts';
import { AppError } from '../../src/platform/errors.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

// Without the passwords themselves: hundreds of guesses would cost minutes.
const pool = openPool(await createDatabase(), { max: 4, log: makeLog('silent') });
const limiter = new LoginLimiter(pool);
afterAll(() => pool.end());
beforeEach(() => pool.query('delete from login_failure'));

/** Whether a guess is looked at. */
async function isHeard(email: string, address: string): Promise<boolean> {
  return limiter.begin(email, address).then(() => true, isRefusal);
}

async function registers(address: string): Promise<boolean> {
  return limiter.countSignUp(address).then(() => true, isRefusal);
}

function isRefusal(error: unknown): false {
  if (error instanceof AppError && error.code === 'rate_limited') return false;
  throw error;
}

async function heard(count: number, guess: (n: number) => Promise<boolean>): Promise<number> {
  let total = 0;
  for (let n = 0; n < count; n++) if (await guess(n)) total += 1;
  return total;
}

async function rows(): Promise<number> {
  const [row] = await query<{ count: number }>(
    pool,
    { name: 'rows', text: 'select count(*)::int as count from login_failure' },
    [],
  );
  return row?.count ?? 0;
}

it('hears ten guesses at an e-mail from one address, and a hundred in all', async () => {
  expect(await heard(12, () => isHeard('ada@example.com', '192.0.2.1'))).toBe(10);
  expect(await heard(120, (n) => isHeard(`${n}@example.com`, '192.0.2.1'))).toBe(88);
});

it('writes nothing more for an address that is over its bound', async () => {
  await heard(101, (n) => isHeard(`${n}@example.com`, '192.0.2.1'));
  const before = await rows();
  expect(await heard(50, () => isHeard(`${randomUUID()}@example.com`, '192.0.2.1'))).toBe(0);
  expect(await rows()).toBe(before);
});

it('counts a /64 of IPv6 as one address, and a /48 as a few', async () => {
  expect(await heard(12, (n) => isHeard('ada@example.com', `2001:db8:7:7::${n + 1}`))).toBe(10);
  expect(await isHeard('ada@example.com', '2001:db8:7:8::1')).toBe(true);
  expect(await heard(400, (n) => isHeard(`${n}@example.com`, `2001:db8:9:${(n % 64).toString(16)}::1`))).toBe(300);
});

it('writes nothing of the addresses of a network that is over its bound', async () => {
  const from = (n: number) => `2001:db8:9:${n.toString(16)}::1`;
  await heard(301, (n) => isHeard(`${n}@example.com`, from(n)));
  await heard(51, (n) => registers(from(n)));
  const before = await rows();
  expect(await heard(20, (n) => isHeard(`${randomUUID()}@example.com`, from(1000 + n)))).toBe(0);
  expect(await heard(20, (n) => registers(from(1000 + n)))).toBe(0);
  expect(await rows()).toBe(before);
});

it('hears every owner’s address, however many others guess, and none of them for long', async () => {
  await heard(110, (n) => isHeard('ada@example.com', `203.0.113.${n % 11}`));
  expect(await heard(5, () => isHeard('ada@example.com', '203.0.113.100'))).toBe(2);
  const right = await limiter.begin('ada@example.com', '203.0.113.101');
  await right.succeeded();
  expect(await heard(5, () => isHeard('ada@example.com', '203.0.113.101'))).toBe(2);
  expect(await heard(12, () => isHeard('somebody-else@example.com', '203.0.113.102'))).toBe(10);
});

it('slows all addresses down while the whole service is attacked, and stops none', async () => {
  await pool.query("insert into login_failure values ('all', now(), 2000)");
  expect(await heard(5, () => isHeard('ada@example.com', '203.0.113.1'))).toBe(2);
  expect(await isHeard('ada@example.com', '203.0.113.2')).toBe(true);
});

it('forgets by time, whether anybody logs in or not', async () => {
  await isHeard('ada@example.com', '192.0.2.1');
  await pool.query("update login_failure set started_at = now() - interval '1 hour'");
  await new LoginLimiter(pool).begin('bob@example.com', '192.0.2.2');
  const { rows: old } = await pool.query(
    "select 1 from login_failure where started_at < now() - interval '15 minutes'",
  );
  expect(old).toEqual([]);
});

it('lets no twenty addresses close the registration', async () => {
  expect(await heard(220, (n) => registers(`192.0.2.${n % 20}`))).toBe(200);
  expect(await registers('198.51.100.1')).toBe(true);
  expect(await registers('198.51.100.1')).toBe(false);
  expect(await registers('198.51.100.2')).toBe(true);
});
