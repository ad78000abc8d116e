import { afterAll, expect, it } from 'vitest';
import { says } from '../house/engine-answers.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { SeededRandom } from '../house/seeded-random.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const house = await openHouse({ engines: { reader: { concurrency: 16 } } });
afterAll(() => house[Symbol.asyncDispose]());

const REQUESTS = 1000;
const AT_ONCE = 20;
const LONGEST_MS = { engine: 120, cancel: 40 };

interface Row {
  readonly status: string;
  readonly cancelled: boolean;
  readonly cost: string;
  readonly attempts: number;
  readonly charges: number;
}

it('ends each of a thousand requests once, whether its settlement or its cancellation comes first', async () => {
  const account = await house.account({ credit: 100 });
  const random = new SeededRandom(20_261_122);
  house.engines.script('reader', async () => {
    await new Promise((resolve) => setTimeout(resolve, random.below(LONGEST_MS.engine)));
    return says('read in time');
  });
  const body = JSON.stringify(await pictureBody('reader', { mode: 'async' }));
  let left = REQUESTS;
  const one = async () => {
    while (left-- > 0) {
      const sent = await account.caller.ocr(body);
      expect(sent.status).toBe(202);
      await new Promise((resolve) => setTimeout(resolve, random.below(LONGEST_MS.cancel)));
      const reply = await account.caller.call('POST', `/v1/ocr/${sent.body.request_id}/cancel`);
      expect(reply.status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  const rows = await readSql<Row>(
    house.databaseUrl,
    `select status, cancelled_at is not null as cancelled, cost::text,
       (select count(*)::int from attempt a where a.request_id = r.id) as attempts,
       (select count(*)::int from ledger_transfer t where t.request_id = r.id) as charges
     from ocr_request r where account_id = '${account.accountId}'`,
  );
  expect(rows).toHaveLength(REQUESTS);
  const ends = Object.fromEntries([...Map.groupBy(rows, endOf)].map(([end, same]) => [end, same.length]));
  console.log('race of cancellation and settlement:', ends);
  expect(Object.keys(ends).filter((end) => !POSSIBLE.includes(end))).toEqual([]);
  expect(ends[POSSIBLE[0] ?? '']).toBeGreaterThan(0);
  expect(ends[POSSIBLE[1] ?? '']).toBeGreaterThan(0);
  const { held_usd } = await house.admin.showAccount(account.accountId);
  expect(held_usd).toBe(0);
  await until('the queue is empty', async () => {
    const waiting = await readSql(house.databaseUrl, 'select 1 from queued_request');
    return waiting.length === 0;
  });
  const { checks } = await house.admin.doctor({ full: true });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});

/** A page that was read and sold; a call that was stopped and billed; a call that had not begun; a place in the queue. */
const POSSIBLE = [
  'succeeded 10000000 1 attempts 1 charges',
  'failed cancelled 4000000 1 attempts 1 charges',
  'failed cancelled 0 0 attempts 0 charges',
  'rejected cancelled 0 0 attempts 0 charges',
];

function endOf({ status, cancelled, cost, attempts, charges }: Row): string {
  return `${status}${cancelled ? ' cancelled' : ''} ${cost} ${attempts} attempts ${charges} charges`;
}
