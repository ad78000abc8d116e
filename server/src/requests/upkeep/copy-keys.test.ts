import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../../test/house/cluster.ts';
import { emptyDatabase } from '../../../../test/house/empty-database.ts';
import { readSql, runSql } from '../../../../test/house/sql.ts';
import { until } from '../../../../test/house/until.ts';
import { newLanes } from '../../database/batches/lane-batcher.ts';
import { migrationScripts } from '../../database/migration-scripts.ts';
import { migrate } from '../../database/orm.ts';
import { openPool, type Pool } from '../../database/pool.ts';
import { newId } from '../../platform/ids.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { AcceptanceStore } from '../store/accept/accept.ts';
import { acceptStatement } from '../store/accept/accept-sql.ts';
import { boundRequest, RequestLookup } from '../store/find.ts';
import { WalletRetries } from '../store/wallet-retries.ts';
import { copyKeys, IdempotencyKeyCopy } from './copy-keys.job.ts';

const KEYS_MIGRATION = 'Migration20261122148000_idempotency_keys';
const [ACCOUNT, OTHER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const OLD_REQUESTS = 900;
const log = makeLog('silent');

let url: string;
let pool: Pool;

/** What both this version and the one before do when they accept a request: a taken key leaves the row out. */
async function insert(id: string, key: string | null, account = ACCOUNT): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into ocr_request (id, account_id, idempotency_key, requested_engine, engine, mode, effective, status, outcome, hold)
     values ($1, $2, $3, 'a', 'a', 'sync', '{}', 'queued', 'processing', 0) on conflict do nothing`,
    [id, account, key],
  );
  return rowCount === 1;
}

/** As the service accepts a request now: the statements that it took, and the answer. */
async function accept(idempotencyKey: string) {
  const statements: string[] = [];
  const counted = Object.assign(Object.create(pool), {
    ask: (prepared: { name: string; text: string }) => {
      statements.push(prepared.name);
      return pool.ask(prepared);
    },
  }) as Pool;
  const options = {
    owner: 'test',
    leaseMs: 10_000,
    lanes: newLanes(),
    walletRetries: new WalletRetries(),
    log,
  };
  const store = new AcceptanceStore(counted, options);
  const request = Object.assign(new OcrRequest(), {
    ...{ id: newId('ocr_'), accountId: ACCOUNT, idempotencyKey, requestedEngine: 'a', engine: 'a' },
    ...{ mode: 'sync', effective: {}, prices: null },
  });
  const candidate = {
    request,
    hold: 10n,
    bytes: null,
    tokenPriced: false,
    isLimited: false,
    starts: true,
    level: null,
  };
  const answer = await store.accept(candidate);
  return { id: request.id, answer, statements };
}

/** As a settlement that frees the key. */
const RELEASE = `update ocr_request set idempotency_key = null, status = 'failed', finished_at = now() where id = $1`;

/** Keys that the table has and the requests do not, and the other way round. */
async function differences(): Promise<object[]> {
  const [ofRequests, ofKeys] = [
    'select account_id, idempotency_key, id from ocr_request where idempotency_key is not null',
    'select account_id, key, request_id from idempotency_key',
  ];
  return readSql(url, `(${ofRequests} except ${ofKeys}) union all (${ofKeys} except ${ofRequests})`);
}

const lookup = async (key: string) => (await new RequestLookup(pool).byKey(ACCOUNT, key))?.id ?? null;
const count = async () => (await pool.query('select from idempotency_key')).rowCount;

/** A database of the release before, with requests; then migrated. */
beforeAll(async () => {
  ({ url } = await emptyDatabase(await createDatabase()));
  const scripts = await migrationScripts(url);
  for (const { name, statements } of scripts.slice(
    0,
    scripts.findIndex(({ name }) => name === KEYS_MIGRATION),
  )) {
    for (const statement of statements) await runSql(url, statement);
    await runSql(url, 'insert into mikro_orm_migrations (name) values ($1)', [name]);
  }
  await runSql(
    url,
    `insert into ocr_request (id, account_id, idempotency_key, requested_engine, engine, mode, effective, status, outcome, hold, finished_at)
     select 'ocr_0' || lpad(n::text, 25, '0'), case when n % 3 = 0 then $1::uuid else $2::uuid end,
       case when n % 5 > 0 then 'old-' || n end, 'a', 'a', 'sync', '{}', case when n % 10 = 1 then 'processing' else 'succeeded' end, 'processing', 0,
       case when n % 10 = 1 then null else now() end
     from generate_series(1, ${OLD_REQUESTS}) n`,
    [ACCOUNT, OTHER],
  );
  await runSql(url, `insert into account (id, email, signing_secret) values ($1, 'a@example.com', 'x')`, [ACCOUNT]);
  await runSql(url, 'insert into wallet (account_id, posted) values ($1, 20)', [ACCOUNT]);
  await migrate(url);
  pool = openPool(url, { max: 4, log });
});
afterAll(() => pool.end());

const oldId = (n: number) => `ocr_0${String(n).padStart(25, '0')}`;

it('finds a key of before where it was, until it is copied', async () => {
  expect(await count()).toBe(0);
  expect(await lookup('old-3')).toBe(oldId(3));
  expect(await lookup('old-4')).toBe(null); // the other account's
});

it('binds and releases new keys meanwhile, whichever version accepts and ends the request', async () => {
  expect(await insert('ocr_1', 'new')).toBe(true);
  expect(await insert('ocr_2', 'new')).toBe(false);
  expect(await insert('ocr_2', 'new', OTHER)).toBe(true);
  expect(await insert('ocr_3', null)).toBe(true);
  expect(await lookup('new')).toBe('ocr_1');
  await pool.query(RELEASE, ['ocr_1']);
  expect(await lookup('new')).toBe(null);
  expect(await insert('ocr_4', 'new')).toBe(true);
  expect(await lookup('new')).toBe('ocr_4');
});

it('a key of before is known before it is copied, and a new one is accepted', async () => {
  expect((await accept('old-6')).answer).toEqual({ kind: 'known', requestId: oldId(6) });
  expect(await lookup('old-6')).toBe(oldId(6));
  expect(await count()).toBe(2); // of the requests above: it has not got a second request
  const { id, answer } = await accept('accepted');
  expect(answer).toEqual({ kind: 'accepted', isOurs: true });
  expect(await lookup('accepted')).toBe(id);
});

it('copies no key that an open request of before releases while the batch is made', async () => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(RELEASE, [oldId(21)]); // open, with a key
    const step = copyKeys(pool, 100);
    await until('the batch waits for it', async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await pool.query(waiting)).rowCount === 1;
    });
    await client.query('commit');
    expect(await step).toEqual({ looked: 100, isLast: false });
  } finally {
    client.release();
  }
  expect(await lookup('old-21')).toBe(null);
  expect(await insert('ocr_5', 'old-21')).toBe(true);
  expect(await lookup('old-3')).toBe(oldId(3));
});

it('a copied key of an open request is released with it', async () => {
  expect(await lookup('old-51')).toBe(oldId(51));
  await pool.query(RELEASE, [oldId(51)]);
  expect(await lookup('old-51')).toBe(null);
});

it('is copied by several processes to its end, each key once', async () => {
  const steps = Array.from({ length: 3 }, async () => {
    let looked = 0;
    for (let step = await copyKeys(pool, 70); step.isLast !== true && looked < 2000; step = await copyKeys(pool, 70)) {
      looked += step.looked;
      const [mark] = await readSql<{ complete: boolean }>(url, 'select complete from idempotency_mark');
      if (mark?.complete) break;
    }
  });
  await Promise.all(steps);
  expect(await readSql(url, 'select complete from idempotency_mark')).toEqual([{ complete: true }]);
  expect(await differences()).toEqual([]);
  expect(await count()).toBeGreaterThan(700);
  expect(await copyKeys(pool)).toEqual({ looked: 0, isLast: null });
});

it('then takes one statement for a new key, and finds a taken one whatever the account has', async () => {
  const { id, answer, statements } = await accept('at once');
  expect({ answer, statements }).toEqual({
    answer: { kind: 'accepted', isOurs: true },
    statements: ['accept-requests'],
  });
  for (const [key, requestId] of [
    ['at once', id],
    ['old-6', oldId(6)],
  ] as const) {
    expect((await accept(key)).answer).toEqual({ kind: 'known', requestId });
  }
  // Two holds have used the money up.
  expect((await accept('too much')).answer).toEqual({ kind: 'refused', reason: 'balance', available: 0n });
  expect(await lookup('too much')).toBe(null);
  expect(await differences()).toEqual([]);
});

it('begins again where a process ended, as a job of the service', async () => {
  await pool.query(`delete from idempotency_key where request_id > '${oldId(500)}' and request_id <= '${oldId(900)}'`);
  await pool.query(`update idempotency_mark set copied_to = '${oldId(500)}', complete = false`);
  expect(await lookup('old-804')).toBe(oldId(804)); // not copied, and found
  await using job = new IdempotencyKeyCopy(pool, log);
  job.start();
  await until('all are copied', async () => {
    const [mark] = await readSql<{ complete: boolean }>(url, 'select complete from idempotency_mark');
    return mark?.complete;
  });
  expect(await differences()).toEqual([]);
});

it('looks keys and requests up by their indexes when a request is sent again', async () => {
  const client = await pool.connect();
  try {
    const { text } = acceptStatement({ discards: false, looksUp: true, limits: false });
    await client.query(`prepare again (json, bytea, interval, text) as ${text}`);
    const { rows } = await client.query(`explain (costs off) execute again ('[]', '', '1 s', 'off')`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Cond: \(id = COALESCE\(/);
    expect(plan).toMatch(/Index Cond: \(\(account_id = \S+\) AND \(key = \S+\)\)/);
    expect(plan).not.toMatch(/Seq Scan on (ocr_request|idempotency_key)/);
  } finally {
    client.release(true);
  }
});

it('decides alone which key is free: no index of the requests is needed for that', async () => {
  await pool.query('drop index ocr_request_idempotency_unique');
  expect(await insert('ocr_6', 'last')).toBe(true);
  const again = await Promise.all(Array.from({ length: 8 }, (_, n) => insert(`ocr_7${n}`, n % 2 ? 'last' : 'first')));
  expect(again.filter(Boolean)).toHaveLength(1);
  expect(await insert('ocr_8', 'old-3')).toBe(false);
  expect(await lookup('old-3')).toBe(oldId(3));
  expect(await differences()).toEqual([]);
});

it('looks into one part of the table', async () => {
  const client = await pool.connect();
  try {
    await client.query(`prepare by_key (uuid, text) as select ${boundRequest('$1', '$2')}`);
    const { rows } = await client.query(`explain (costs off) execute by_key ('${ACCOUNT}', 'old-3')`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Subplans Removed: 15');
    expect(plan).not.toContain('Seq Scan on idempotency_key');
    const [{ parts } = { parts: 0 }] = await readSql<{ parts: number }>(
      url,
      'select count(distinct tableoid)::int as parts from idempotency_key',
    );
    expect(parts).toBe(2); // of two accounts; were they of one part, the ids above would be other ones
  } finally {
    client.release(true);
  }
});
