import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../../../test/house/admin.ts';
import { queueRow } from '../../../test/house/async-request.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { until } from '../../../test/house/until.ts';
import { newLanes } from '../../src/database/batches/lane-batcher.ts';
import { openPool } from '../../src/database/pool.ts';
import { AppError } from '../../src/platform/errors.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { NoBroadcast } from '../../src/platform/messaging/broadcast.ts';
import { RequestChanges } from '../../src/platform/messaging/request-changes.ts';
import { giveUpQueued } from '../../src/requests/run/give-up.ts';
import { Heartbeat } from '../../src/requests/run/heartbeat.ts';
import { Sweeper, type SweeperDeps } from '../../src/requests/run/sweep.job.ts';
import { UnservedEngines, type UnservedTimes } from '../../src/requests/run/unserved-engines.ts';
import { RequestLookup } from '../../src/requests/store/find.ts';
import { LeaseExpiry } from '../../src/requests/store/lease-expiry.ts';
import { Leases } from '../../src/requests/store/leases.ts';
import { Queue } from '../../src/requests/store/queue.ts';
import { SettlementStore } from '../../src/requests/store/settle/settle.ts';
import { WalletRetries } from '../../src/requests/store/wallet-retries.ts';

const AT_ONCE: UnservedTimes = { everyMs: 0, rest: 0, graceMs: 0, gapMs: 60_000 };
const HOUR_MS = 3_600_000;
const HOLD_USD = 0.01;

describe('requests that wait for an engine', async () => {
  const url = await createDatabase();
  const pool = openPool(url, { max: 4, log: makeLog('silent') });
  const admin = await openHouseAdmin(url);
  afterAll(async () => {
    await pool.end();
    await admin[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await pool.query('delete from lease_holder');
    await pool.query('delete from queued_request');
    await pool.query(`update ocr_request set status = 'failed', finished_at = now() where finished_at is null`);
  });

  const lookup = new RequestLookup(pool);
  const settlements = new SettlementStore(pool, {
    ...{ lanes: newLanes(), walletRetries: new WalletRetries(), onAnnounced: () => undefined },
  });
  const leasesOf = (owner: string) => new Leases(pool, { owner, leaseMs: 10_000 });

  /** The sweeper of a process that takes requests of `reader` alone. */
  function sweeper(times: UnservedTimes) {
    const warnings: unknown[] = [];
    const log = Object.assign(makeLog('silent'), { warn: (fields: unknown) => void warnings.push(fields) });
    const changes = new RequestChanges(new NoBroadcast());
    const common = { queue: new Queue(pool), lookup, settlements, changes, engineIds: ['reader'], log };
    const sweeping = new Sweeper({
      ...common,
      leases: leasesOf('sweeper'),
      expiry: new LeaseExpiry(pool, { owner: 'sweeper' }),
      heartbeat: null,
      leaseMs: 0,
      worker: { noteQueued: () => undefined } as unknown as SweeperDeps['worker'], // what is called here
      cancellations: { endQueued: async () => undefined },
      passing: { removeOld: async () => undefined },
      unserved: new UnservedEngines({ ...common, times }),
      onLeasesLost: () => undefined,
    });
    return { sweep: () => sweeping.sweep(), warnings };
  }

  async function queued(engine: string, accountId: string): Promise<string> {
    const id = await queueRow(url, accountId);
    await pool.query(
      `with held as (update wallet set held = held + 10000000 where account_id = $3),
         moved as (update queued_request set engine = $2 where request_id = $1)
       update ocr_request set requested_engine = $2, engine = $2, hold = 10000000,
         effective = '{"webhookUrl": "https://example.com/hook"}' where id = $1`,
      [id, engine, accountId],
    );
    return id;
  }

  async function lives(owner: string, engines: readonly string[] | null): Promise<void> {
    await pool.query(
      `insert into lease_holder (owner, expires_at, engines) values ($1, now() + interval '1 hour', $2)`,
      [owner, engines],
    );
  }

  const statusOf = async (id: string) => (await lookup.byId(id))?.status;

  it('are ended when no process serves it any more: the hold is free, and the webhook tells of it', async () => {
    await lives('another', ['reader', 'writer']);
    const { accountId } = await makeAccount(admin, { credit: 1 });
    const id = await queued('gone', accountId);
    const served = await queued('writer', accountId);
    expect(await admin.showAccount(accountId)).toMatchObject({ held_usd: 2 * HOLD_USD });
    const { sweep, warnings } = sweeper(AT_ONCE);
    await sweep();
    expect(await lookup.byId(id)).toMatchObject({
      ...{ status: 'failed', outcome: 'refunded', errorCode: 'engine_unavailable', cost: 0n },
      providerError: 'No process of this gateway serves the engine "gone" any more. Nothing was charged.',
    });
    expect(await statusOf(served)).toBe('queued');
    expect(await admin.showAccount(accountId)).toMatchObject({ balance_usd: 1 - HOLD_USD, held_usd: HOLD_USD });
    const { rows } = await pool.query('select request_id, url from webhook_delivery');
    expect(rows).toEqual([{ request_id: id, url: 'https://example.com/hook' }]);
    const { rows: left } = await pool.query('select request_id from queued_request');
    expect(left).toEqual([{ request_id: served }]);
    expect(warnings).toEqual([
      { engine: 'gone', requests: 1 },
      { requestId: id, engine: 'gone' },
    ]);
  });

  it.each([
    ['that serves it', ['gone']],
    ['of an older version, which does not say what it serves', null],
  ])('wait as long as a process lives %s', async (_case, engines) => {
    await lives('another', engines);
    const { accountId } = await makeAccount(admin);
    const id = await queued('gone', accountId);
    const { sweep, warnings } = sweeper(AT_ONCE);
    await sweep();
    expect(await statusOf(id)).toBe('queued');
    await pool.query(`update lease_holder set expires_at = now() - interval '1 minute'`);
    await sweep();
    expect(await statusOf(id)).toBe('failed');
    expect(warnings).toHaveLength(2);
  });

  it('are not ended before it has been without a process for the grace, and are told of once', async () => {
    const { accountId } = await makeAccount(admin);
    const id = await queued('gone', accountId);
    const patient = sweeper({ ...AT_ONCE, graceMs: HOUR_MS });
    await patient.sweep();
    await patient.sweep();
    expect(await statusOf(id)).toBe('queued');
    expect(patient.warnings).toEqual([{ engine: 'gone', requests: 1 }]);

    const graceMs = 300;
    const { sweep } = sweeper({ ...AT_ONCE, graceMs });
    const began = performance.now();
    await until('the grace is over', async () => {
      await sweep();
      return (await statusOf(id)) === 'failed';
    });
    expect(performance.now() - began).toBeGreaterThanOrEqual(graceMs);
  });

  it('get the whole grace again where a process has served it meanwhile, or nobody has looked', async () => {
    const { accountId } = await makeAccount(admin);
    const id = await queued('gone', accountId);
    const interrupted = sweeper({ ...AT_ONCE, graceMs: HOUR_MS });
    await interrupted.sweep();
    await lives('another', ['gone']);
    await interrupted.sweep();
    await pool.query('delete from lease_holder');
    await interrupted.sweep();
    const away = sweeper({ ...AT_ONCE, graceMs: HOUR_MS, gapMs: 0 });
    await away.sweep();
    await away.sweep();
    for (const { warnings } of [interrupted, away]) {
      expect(warnings).toEqual([
        { engine: 'gone', requests: 1 },
        { engine: 'gone', requests: 1 },
      ]);
    }
    expect(await statusOf(id)).toBe('queued');
  });

  it('are ended although others before them cannot be', async () => {
    const { accountId: stuck } = await makeAccount(admin);
    const { accountId } = await makeAccount(admin);
    const locked = await Promise.all(Array.from({ length: 60 }, () => queued('gone', stuck)));
    const id = await queued('gone', accountId);
    const holder = await pool.connect();
    const { sweep } = sweeper(AT_ONCE);
    try {
      await holder.query('begin');
      await holder.query('select from wallet where account_id = $1 for update', [stuck]);
      await sweep();
      expect(await statusOf(id)).toBe('queued'); // fifty at most in one sweep
      await sweep();
      expect(await statusOf(id)).toBe('failed');
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await until('the others have ended', async () => {
      await sweep();
      const { rows } = await pool.query('select from queued_request');
      return rows.length === 0;
    });
    for (const each of locked) expect(await statusOf(each)).toBe('failed');
  });

  it('are left to the process that claims one at the same moment', async () => {
    const { accountId } = await makeAccount(admin);
    const id = await queued('gone', accountId);
    const claims = async (wanted: string) => {
      const seen = await lookup.byId(wanted);
      await leasesOf('another').claim({ id: 'gone' }, 1);
      return seen;
    };
    const error = new AppError('engine_unavailable', 'gone');
    expect(await giveUpQueued(id, error, { lookup: { byId: claims }, settlements })).toBeNull();
    expect(await statusOf(id)).toBe('processing');
    expect(await giveUpQueued(id, error, { lookup, settlements })).toBeNull();
  });

  it('are served by the process whose heartbeat names it', async () => {
    const owner = 'beating';
    const options = { url, owner, leaseMs: 10_000, engineIds: ['reader', 'gone'], log: makeLog('silent') };
    await using heartbeat = new Heartbeat(options);
    await heartbeat.ready();
    const { rows } = await pool.query('select engines from lease_holder where owner = $1', [owner]);
    expect(rows).toEqual([{ engines: ['reader', 'gone'] }]);
    const { accountId } = await makeAccount(admin);
    await queued('gone', accountId);
    await queued('nowhere', accountId);
    const queue = new Queue(pool);
    expect(await queue.unserved(['reader'])).toEqual([{ engine: 'nowhere', requests: 1 }]);
    expect(await queue.unserved(['nowhere'])).toEqual([]);
  });
});
