import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { startMortalProduct } from '../../../test/durability/mortal-product.ts';
import { makeAccount, openHouseAdmin } from '../../../test/house/admin.ts';
import { queueRow } from '../../../test/house/async-request.ts';
import { Caller } from '../../../test/house/caller.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { says } from '../../../test/house/engine-answers.ts';
import { pictureBody } from '../../../test/house/ocr-body.ts';
import { ScriptedEngines } from '../../../test/house/scripted-engines.ts';
import { until } from '../../../test/house/until.ts';
import { openPool } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { LeaseExpiry } from '../../src/requests/store/lease-expiry.ts';
import { Leases } from '../../src/requests/store/leases.ts';
import { Queue } from '../../src/requests/store/queue.ts';

const READER = { id: 'reader' };

describe('what was at work when a process died', async () => {
  const databaseUrl = await createDatabase();
  const pool = openPool(databaseUrl, { max: 4, log: makeLog('silent') });
  const admin = await openHouseAdmin(databaseUrl);
  afterAll(async () => {
    await pool.end();
    await admin[Symbol.asyncDispose]();
  });

  const expiry = new LeaseExpiry(pool, { owner: 'witness' });
  const leasesOf = (owner: string) => new Leases(pool, { owner, leaseMs: 10_000 });

  async function queued(requests: number): Promise<string[]> {
    const { accountId } = await makeAccount(admin);
    await pool.query('delete from queued_request');
    await pool.query(`update ocr_request set status = 'failed', finished_at = now() where finished_at is null`);
    return Promise.all(Array.from({ length: requests }, () => queueRow(databaseUrl, accountId)));
  }

  /** A process that claims by `claim`, and whose lease then runs out. */
  async function dies(claim: (leases: Leases) => Promise<unknown>): Promise<readonly string[]> {
    const owner = randomUUID();
    await claim(leasesOf(owner));
    await pool.query(`insert into lease_holder (owner, expires_at) values ($1, now() - interval '1 second')`, [owner]);
    return (await expiry.expire(await expiry.dead())).givenUp;
  }

  async function suspicions(ids: readonly string[]): Promise<(number | null)[]> {
    const { rows } = await pool.query('select suspicion from ocr_request where id = any($1) order by id', [ids]);
    return rows.map(({ suspicion }) => suspicion);
  }

  it('is tried in a small group, then alone, and only its lone deaths count', async () => {
    const ids = (await queued(3)).sort();
    await dies((leases) => leases.claim(READER, 3));
    expect(await suspicions(ids)).toEqual([0, 0, 0]);
    expect((await leasesOf('other').claim(READER, 3)).claimed).toEqual([]);
    await dies((leases) => leases.claimSuspects(READER, 3, { alone: false }));
    expect(await suspicions(ids)).toEqual([1, 1, 1]);
    const guilty: string[] = [];
    for (const _innocent of [1, 2]) {
      const { claimed } = await leasesOf('innocent').claimSuspects(READER, 1, { alone: true });
      guilty.push(...ids.filter((id) => !claimed.some(({ request }) => request.id === id)));
    }
    const last = ids.find((id) => guilty.filter((each) => each === id).length === 2);
    const alone = () => dies((leases) => leases.claimSuspects(READER, 1, { alone: true }));
    expect([await alone(), await alone()]).toEqual([[], []]);
    expect(await alone()).toEqual([last]);
    const { rows } = await pool.query('select number from attempt where request_id = $1 order by number', [last]);
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it('is to blame at once when nothing else was', async () => {
    const [id = ''] = await queued(1);
    expect(await dies((leases) => leases.claim(READER, 1))).toEqual([]);
    expect(await suspicions([id])).toEqual([2]);
  });

  it('stays with a process that has renewed its lease since it was seen', async () => {
    const ids = await queued(1);
    const owner = randomUUID();
    await leasesOf(owner).claim(READER, 1);
    await pool.query(`insert into lease_holder (owner, expires_at) values ($1, now() - interval '1 second')`, [owner]);
    const dead = await expiry.dead();
    await pool.query(`update lease_holder set expires_at = now() + interval '10 seconds' where owner = $1`, [owner]);
    expect(await expiry.expire(dead)).toEqual({ freed: 0, givenUp: [] });
    expect(await suspicions(ids)).toEqual([null]);
  });

  it('of an older version is found by the ends of its requests’ leases', async () => {
    const ids = await queued(1);
    await leasesOf('of an older version').claim(READER, 1);
    await expiry.adopt();
    expect((await expiry.dead()).map(({ owner }) => owner)).not.toContain('of an older version');
    await pool.query(`update ocr_request set lease_expires_at = now() - interval '1 second' where id = any($1)`, [ids]);
    await expiry.adopt();
    expect(await expiry.expire(await expiry.dead())).toEqual({ freed: 1, givenUp: [] });
  });

  it('goes back into the queue where an older version has left no row, and leaves none behind', async () => {
    const [missing = '', gone = ''] = await queued(2);
    await pool.query('delete from queued_request where request_id = $1', [missing]);
    await pool.query(`update ocr_request set status = 'processing' where id = $1`, [gone]);
    await new Queue(pool).reconcile();
    const { rows } = await pool.query('select request_id from queued_request');
    expect(rows).toEqual([{ request_id: missing }]);
  });
});

it('a document that ends every process that reads it uses up its own starts, not those of what is at work beside it', {
  timeout: 600_000,
}, async () => {
  const databaseUrl = await createDatabase();
  await using engines = await ScriptedEngines.start();
  await using admin = await openHouseAdmin(databaseUrl);
  await using life = await startMortalProduct({ databaseUrl, engines: [engines.entry('reader')] });
  const { accountId, apiKey } = await makeAccount(admin, { credit: 1 });
  const send = async (fields: object) => {
    const body = await pictureBody('reader', { mode: 'async', ...fields });
    return (await new Caller(life.current.url, apiKey).ocr(body)).body.request_id;
  };
  let deaths = 0;
  engines.script('reader', async (call) => {
    if (call.prompt.includes('Japanese')) {
      await until('the others are at work, too', () => deaths > 0 || engines.calls('reader').length === 4);
      deaths += 1;
      await life.mortal.kill();
      return new Promise(() => {});
    }
    if (deaths === 0) return new Promise(() => {});
    await sleep(1500); // longer than the other one takes to end the process
    return says('read after all');
  });
  const innocent = [await send({}), await send({}), await send({})];
  const poison = await send({ settings: { language: 'ja' } });
  const end = async (id: string) => {
    const reply = await new Caller(life.current.url, apiKey).get(`/v1/ocr/${id}`).catch(() => null);
    return reply?.body.status;
  };
  // Each death takes a start of the product and the end of a lease: more patience than for a single step.
  const patient = { timeout: 300_000, interval: 500 };
  await expect.poll(() => end(poison), patient).toBe('failed');
  for (const id of innocent) await expect.poll(() => end(id), patient).toBe('succeeded');
  expect(deaths).toBe(5);
  expect(await admin.showAccount(accountId)).toMatchObject({ balance_usd: 0.97, held_usd: 0 });
});
