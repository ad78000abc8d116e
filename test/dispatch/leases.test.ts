import { afterAll, beforeEach, expect, it } from 'vitest';
import { makeAccount } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { DatabaseProxy } from '../house/database-proxy.ts';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { type HouseAccount, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { startProduct } from '../house/product.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const proxy = await DatabaseProxy.open();
const house = await openHouse({ proxy, engines: { reader: { concurrency: 8 }, narrow: { concurrency: 1 } } });
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

const ASYNC = { mode: 'async' };

interface Row {
  readonly id: string;
  readonly status: string;
  readonly fence: number;
  readonly starts: number;
  readonly lost: number;
}

async function rowsOf({ accountId }: HouseAccount): Promise<Row[]> {
  return readSql<Row>(
    house.databaseUrl,
    `select id, status, fence, starts,
       (select count(*)::int from attempt a where a.request_id = r.id and a.outcome = 'lost') as lost
     from ocr_request r where account_id = '${accountId}' order by id`,
  );
}

async function ended(account: HouseAccount, requests: number): Promise<Row[]> {
  return until(`${requests} requests end`, async () => {
    const rows = await rowsOf(account).catch(() => []);
    return rows.length === requests && rows.every(({ status }) => /succeeded|failed/.test(status)) && rows;
  });
}

/** Every lease has run out by so many seconds, if nobody moves its end on. */
async function leasesRunOut(bySeconds: number): Promise<void> {
  await until('the leases have run out', async () => {
    const open = await readSql(
      house.databaseUrl,
      `select 1 from ocr_request where status = 'processing'
         and lease_expires_at > now() - interval '${bySeconds} seconds'`,
    );
    return open.length === 0;
  });
}

async function leasesAreMovedOn(): Promise<void> {
  await until('every lease is alive', async () => {
    const dead = await readSql(
      house.databaseUrl,
      "select 1 from ocr_request where status = 'processing' and lease_expires_at <= now()",
    );
    return dead.length === 0;
  });
}

it('reads once and settles once what was at work while the database was away for longer than a lease', async () => {
  const account = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('read once');
  });
  const bodies = await Promise.all(Array.from({ length: 5 }, () => pictureBody('reader', ASYNC)));
  for (const body of bodies) expect((await account.caller.ocr(body)).status).toBe(202);
  await house.engines.called('reader', 5);
  proxy.goAway();
  await leasesRunOut(3);
  proxy.comeBack();
  await leasesAreMovedOn();
  gate.open();
  const rows = await ended(account, 5);
  expect(rows.map(({ status, fence, starts, lost }) => ({ status, fence, starts, lost }))).toEqual(
    rows.map(() => ({ status: 'succeeded', fence: 1, starts: 1, lost: 0 })),
  );
  expect(house.engines.calls('reader')).toHaveLength(5);
  expect(await house.admin.showAccount(account.accountId)).toMatchObject({ balance_usd: 9.95, held_usd: 0 });
});

it('settles a reading that ended while the database was away, once it is back', async () => {
  const account = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('read once');
  });
  expect((await account.caller.ocr(await pictureBody('reader', ASYNC))).status).toBe(202);
  await house.engines.called('reader');
  proxy.goAway();
  gate.open();
  await leasesRunOut(3);
  proxy.comeBack();
  expect(await ended(account, 1)).toEqual([expect.objectContaining({ status: 'succeeded', starts: 1, lost: 0 })]);
  expect(house.engines.calls('reader')).toHaveLength(1);
  expect(await house.admin.showAccount(account.accountId)).toMatchObject({ balance_usd: 9.99, held_usd: 0 });
});

it('settles a reading once the disk that was full has room again', async () => {
  const account = await house.account();
  const refusal = proxy.refuse(/^settle-/, '53100');
  try {
    expect((await account.caller.ocr(await pictureBody('reader', ASYNC))).status).toBe(202);
    await until('its settlement was refused again and again', () => refusal.refused > 5); // for some seconds
    expect(await rowsOf(account)).toEqual([expect.objectContaining({ status: 'processing' })]);
  } finally {
    refusal.release();
  }
  expect(await ended(account, 1)).toEqual([expect.objectContaining({ status: 'succeeded', starts: 1, lost: 0 })]);
  expect(house.engines.calls('reader')).toHaveLength(1);
  expect(await house.admin.showAccount(account.accountId)).toMatchObject({ balance_usd: 9.99, held_usd: 0 });
});

it('takes over from a dead process although what it holds itself cannot be looked at', async () => {
  const { apiKey, ...account } = await house.account();
  const refusal = proxy.refuse(/^lease-held$/, '57014');
  house.engines.script('reader', (_call, nth) => (nth === 1 ? new Promise(() => {}) : says('read again')));
  const other = await startProduct({ databaseUrl: house.databaseUrl, engines: [house.engines.entry('reader')] });
  try {
    const body = await pictureBody('reader', ASYNC);
    expect((await new Caller(other.url, apiKey).ocr(body)).status).toBe(202);
    await house.engines.called('reader');
    await until('the look was refused', () => refusal.refused > 0);
    await other.kill();
    expect(await ended({ apiKey, ...account }, 1)).toEqual([
      expect.objectContaining({ status: 'succeeded', starts: 2, lost: 1 }),
    ]);
    const attempts = await readSql(
      house.databaseUrl,
      `select a.number, a.outcome from attempt a join ocr_request r on r.id = a.request_id
       where account_id = '${account.accountId}' order by a.number`,
    );
    expect(attempts).toEqual([
      { number: 1, outcome: 'lost' },
      { number: 2, outcome: 'ok' },
    ]);
  } finally {
    refusal.release();
    await other[Symbol.asyncDispose]();
  }
});

it('takes no lease from a living process where the clock of the database jumps ahead', async () => {
  const { apiKey, ...account } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('read');
  });
  await using other = await hostProduct({
    databaseUrl: house.databaseUrl,
    engines: [house.engines.entry('reader')],
  });
  expect((await new Caller(other.url, apiKey).ocr(await pictureBody('reader', ASYNC))).status).toBe(202);
  await house.engines.called('reader');
  const [request] = await readSql<{ owner: string }>(
    house.databaseUrl,
    `select lease_owner as owner from ocr_request where account_id = '${account.accountId}'`,
  );
  const its = `where owner = '${request?.owner}'`;
  const beat = async () =>
    (await readSql<{ at: string }>(house.databaseUrl, `select expires_at::text as at from lease_holder ${its}`))[0]?.at;
  const LEAST_JUMPS = 7; // nobody is buried before the sweeper has been at it for the time of a lease
  for (let jumps = 0; jumps < LEAST_JUMPS; jumps++) {
    const before = await beat();
    await until('it beats', async () => (await beat()) !== before);
    await runSql(house.databaseUrl, `update lease_holder set expires_at = now() - interval '1 minute' ${its}`);
  }
  gate.open();
  expect(await ended({ apiKey, ...account }, 1)).toEqual([
    expect.objectContaining({ status: 'succeeded', fence: 1, starts: 1, lost: 0 }),
  ]);
  expect(house.engines.calls('reader')).toHaveLength(1);
});

it('gives back a request whose claim was answered into the void, at no expense', async () => {
  const account = await house.account();
  const first = makeGate();
  house.engines.script('narrow', async (_call, nth) => {
    if (nth === 1) await first.opened;
    return says('read');
  });
  for (let i = 0; i < 2; i++) {
    expect((await account.caller.ocr(await pictureBody('narrow', ASYNC))).status).toBe(202);
  }
  await house.engines.called('narrow');
  const trap = proxy.trap('lease-claim', 'lose-reply');
  first.open();
  await trap.strikes();
  trap.release();
  const rows = await ended(account, 2);
  expect(rows.map(({ status, starts, lost }) => ({ status, starts, lost }))).toEqual(
    rows.map(() => ({ status: 'succeeded', starts: 1, lost: 0 })),
  );
});

it('goes on with a request whose claim a crash of the database has taken back', async () => {
  const account = await house.account();
  const [ahead, gate] = [makeGate(), makeGate()];
  house.engines.script('narrow', async (_call, nth) => {
    await (nth === 1 ? ahead : gate).opened;
    return says('read');
  });
  for (let i = 0; i < 2; i++) {
    expect((await account.caller.ocr(await pictureBody('narrow', ASYNC))).status).toBe(202);
  }
  await house.engines.called('narrow');
  ahead.open();
  await house.engines.called('narrow', 2);
  const claimed = await until('the second one is claimed', async () => {
    const rows = await rowsOf(account);
    return rows[0]?.status === 'succeeded' && rows[1]?.status === 'processing' && rows[1];
  });
  // As it was before the claim.
  await runSql(
    house.databaseUrl,
    `with back as (
       update ocr_request set status = 'queued', fence = 0, starts = 0, started_at = null, lease_owner = null,
         lease_expires_at = null
       where id = $1 returning id, requested_engine, account_id
     )
     insert into queued_request (request_id, engine, account_id, level, seq)
     select id, requested_engine, account_id, 0, (extract(epoch from now()) * 1000000)::bigint from back`,
    [claimed.id],
  );
  // Another one makes the worker claim again.
  expect((await account.caller.ocr(await pictureBody('narrow', ASYNC))).status).toBe(202);
  const claims = proxy.seen('lease-claim');
  gate.open();
  const rows = await ended(account, 3);
  expect(proxy.seen('lease-claim')).toBeGreaterThan(claims);
  expect(rows.map(({ status, starts, lost }) => ({ status, starts, lost }))).toEqual(
    rows.map(() => ({ status: 'succeeded', starts: 1, lost: 0 })),
  );
  expect(house.engines.calls('narrow')).toHaveLength(3);
});

it('keeps its leases while its event loop stands still for 30 seconds', async () => {
  await using other = await openHouse();
  const { databaseUrl, engines } = other;
  await using frozen = await startProduct({
    databaseUrl,
    engines: [engines.entry('reader')],
    env: { FAULT: 'stall:30000' },
  });
  const { apiKey } = await makeAccount(other.admin);
  const gate = makeGate();
  engines.script('reader', async () => {
    await gate.opened;
    return says('by the one that stood still');
  });
  const { body } = await new Caller(frozen.url, apiKey).ocr(await pictureBody('reader', ASYNC));
  await engines.called('reader');
  const livez = () => fetch(`${frozen.url}/livez`, { signal: AbortSignal.timeout(1000) }).catch(() => null);
  await until('it stands still', async () => (await livez()) === null);
  await until('it goes on', async () => (await livez())?.status === 200);
  gate.open();
  await until('it is read', async () => {
    const now = await new Caller(other.product.url, apiKey).get(`/v1/ocr/${body.request_id}`);
    return now.body.status === 'succeeded';
  });
  const rows = await readSql(databaseUrl, 'select fence, starts from ocr_request');
  expect(rows).toEqual([{ fence: 1, starts: 1 }]);
  expect(engines.calls('reader')).toHaveLength(1);
});
