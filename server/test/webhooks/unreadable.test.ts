import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { until } from '../../../test/house/until.ts';
import { verified, WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import type { Pool } from '../../src/database/pool.ts';
import { AppError } from '../../src/platform/errors.ts';
import { PostOffice } from './post-office.ts';
import { renderingOf } from './rendered-body.ts';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

it('a request that cannot be read back is told as failed, with the engine and the cost it ended with', async () => {
  await using _job = office.startJob({ render: renderingOf(office.pool) });
  const { accountId, secret } = await office.account();
  // Its delivery is there, its own row is not.
  const id = await office.announce(accountId, receiver.at('/unreadable'), 'refunded');
  const [received] = await receiver.gets('/unreadable');
  expect(received && verified(received, secret)).toEqual({
    event: 'ocr.completed',
    request_id: id.replace('whd_', 'ocr_'),
    status: 'failed',
    engine: 'reader',
    extracted_text: null,
    extracted_text_preview: null,
    cost_usd: 0.004,
    provider_latency_ms: null,
    provider_error: expect.stringMatching(/could not be read back/),
    warning: null,
    timestamp: expect.stringMatching(/Z$/),
  });
});

/** The pool, as it fails for as long as `failure` says so. */
function failing(pool: Pool, failure: () => Error | null): Pool {
  return Object.assign(Object.create(pool), {
    ask: async (statement: { name: string; text: string; values: unknown[] }) => {
      const error = failure();
      if (error) throw error;
      return pool.ask({ ...statement, values: [...statement.values] });
    },
  });
}

function ofPostgres(code: string): Error {
  return Object.assign(new pg.DatabaseError('broken', 0, 'error'), { code });
}

it.each([
  ['the database is away', () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
  ['no connection was free', () => new Error('timeout exceeded when trying to connect')],
  ['the database shut down', () => ofPostgres('57P01')],
  ['the look-up took too long', () => ofPostgres('57014')],
  ['too much was asked for at once', () => new AppError('rate_limited', 'Ask again in a moment.')],
  ['there was no place', () => new AppError('engine_unavailable', 'Ask again in a moment.')],
])('a transient failure is no reason to tell a request as failed, and costs no attempt: %s', async (why, error) => {
  const { accountId, secret } = await office.account();
  let tries = 0;
  let failure: Error | null = error();
  const pool = failing(office.pool, () => {
    tries += 1;
    return failure;
  });
  const path = `/passing-${encodeURIComponent(why)}`;
  const id = await office.announce(accountId, receiver.at(path));
  await office.pool.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, finished_at)
     values ($1, $2, 'reader', 'reader', 'async', '{}', 'succeeded', 'succeeded', 0, now())`,
    [id.replace('whd_', 'ocr_'), accountId],
  );
  await using _job = office.startJob({ render: renderingOf(pool) });
  await until('it is put off', async () => tries > 0 && (await office.lease(id)).owner === null);
  expect(await office.state(id)).toEqual({ status: 'pending', attempt: 0, body: null });
  expect((await office.lease(id)).dueInMs).toBeLessThan(5000);
  failure = null;
  expect(await office.ended(id)).toEqual([{ attempt: 1, status: 'delivered', responseCode: 200, error: null }]);
  const [received] = receiver.received(path);
  expect(received && verified(received, secret)).toMatchObject({ status: 'succeeded' });
});

it('a body that cannot be made is made soon, and what was tried is no attempt', async () => {
  await using broken = await PostOffice.open();
  let tries = 0;
  const render = async () => {
    tries += 1;
    if (tries <= 2) throw new Error('timeout exceeded when trying to connect');
    return '{}';
  };
  broken.startJob({ render });
  const { accountId } = await broken.account();
  const id = await broken.announce(accountId, receiver.at('/later'));
  expect(await broken.ended(id)).toEqual([{ attempt: 1, status: 'delivered', responseCode: 200, error: null }]);
  expect(tries).toBe(3);
});

it('a body that fails for good keeps its lease, as that of a process that died', async () => {
  await using broken = await PostOffice.open();
  let tries = 0;
  const render = async () => {
    tries += 1;
    throw new TypeError('not a function');
  };
  const job = broken.startJob({ render });
  const { accountId } = await broken.account();
  const id = await broken.announce(accountId, receiver.at('/never'));
  await until('it was tried', () => tries > 0);
  await job[Symbol.asyncDispose]();
  const { owner, dueInMs } = await broken.lease(id);
  expect(owner).not.toBeNull();
  expect(dueInMs).toBeGreaterThan(1000);
});

it('a body that takes longer than its lease allows is put off, and made anew', async () => {
  await using slow = await PostOffice.open();
  let tries = 0;
  const render = () => (++tries === 1 ? new Promise<string>(() => undefined) : Promise.resolve('{}'));
  slow.startJob({ render, renderMs: 50 });
  const { accountId } = await slow.account();
  const id = await slow.announce(accountId, receiver.at('/slow-body'));
  expect(await slow.ended(id)).toEqual([{ attempt: 1, status: 'delivered', responseCode: 200, error: null }]);
});

it('bodies that were given up while they are still being made keep their places: no more are begun than there are', async () => {
  await using slow = await PostOffice.open();
  const [busy, other] = [await slow.account(), await slow.account()];
  let begun = 0;
  const endless = Promise.withResolvers<string>();
  const render = ({ accountId }: { accountId: string }) => {
    if (accountId !== busy.accountId) return Promise.resolve('{}');
    begun += 1;
    return endless.promise;
  };
  slow.startJob({ render, renderMs: 20 });
  const ids: string[] = [];
  for (let number = 1; number <= 12; number++) ids.push(await slow.announce(busy.accountId, receiver.at('/busy')));
  for (let time = 1; time <= 3; time++) {
    const held = 'select count(*)::int as n from webhook_delivery where lease_owner is not null';
    await until('each was put off', async () => begun >= 8 && (await slow.pool.query(held)).rows[0].n === 0);
    await slow.pool.query(`update webhook_delivery set next_attempt_at = now() where status = 'pending'`);
    // All are due when this one is claimed.
    await slow.ended(await slow.announce(other.accountId, receiver.at('/other')));
  }
  expect(begun).toBe(8); // of one account to one receiver
  endless.resolve('{}');
  for (const id of ids) await slow.ended(id);
  expect(receiver.received('/busy')).toHaveLength(12);
});

it('a body that is being made when the process stops is left to the next process at once', async () => {
  await using office = await PostOffice.open();
  const { accountId } = await office.account();
  let tries = 0;
  const stopping = office.startJob({ render: () => new Promise(() => void tries++), renderMs: 600_000 });
  const id = await office.announce(accountId, receiver.at('/stops-early'));
  await until('it is being made', () => tries > 0);
  await stopping[Symbol.asyncDispose]();
  expect(await office.state(id)).toEqual({ status: 'pending', attempt: 0, body: null });
  expect(await office.lease(id)).toMatchObject({ owner: null });
  office.startJob();
  expect(await office.ended(id)).toMatchObject([{ attempt: 1, status: 'delivered' }]);
});
