import { afterAll, beforeEach, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { openPool } from '../../src/database/pool.ts';
import { DeliveryQueue } from '../../src/monitoring/alerts/channels/delivery-queue.ts';
import { DeliveryStore } from '../../src/monitoring/alerts/channels/delivery-store.ts';
import type { AlertChange } from '../../src/monitoring/alerts/channels/notice.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { WakeUp } from '../../src/platform/messaging/wake-up.ts';

const pool = openPool(await createDatabase(), { max: 3, log: makeLog('silent') });
afterAll(() => pool.end());

const queue = new DeliveryQueue(pool, new WakeUp());
const store = new DeliveryStore(pool);
const REFUSED = { delivered: false, responseCode: 500, latencyMs: 3, error: 'HTTP 500' };
const CHANGE: AlertChange = {
  ...{ id: 'alt_1', state: 'firing', kind: 'engine_down', engineId: 'reader', title: 'down', detail: 'down' },
  ...{ figure: null, threshold: null, beganAt: '2026-11-23T10:00:00Z', endedAt: null },
};

beforeEach(async () => {
  await pool.query('delete from alert_channel');
  await pool.query(
    `insert into alert_channel (id, kind, label, target, is_active) values ('alc_1', 'slack', 'night', 'https://example.com', true)`,
  );
});

/** The notice that is due, whatever it waits for. */
async function due() {
  await pool.query(`update alert_delivery set next_attempt_at = now(), leased_until = null where status = 'pending'`);
  const [notice, ...others] = await store.claim();
  expect(others).toEqual([]);
  return notice;
}

it('is sent again after pauses that grow, and given up after the seventh attempt', async () => {
  await queue.test('alc_1');
  const pauses: (number | null)[] = [];
  for (let notice = await due(); notice; notice = await due()) {
    expect(notice.attempt).toBe(pauses.length + 1);
    pauses.push(await store.close(notice, REFUSED));
  }
  expect(pauses).toEqual([2000, 15_000, 60_000, 300_000, 900_000, 3_600_000, null]);
  expect(await queue.list('alc_1')).toMatchObject([
    { status: 'failed', attempt: 7, responseCode: 500, error: 'HTTP 500', nextAttemptAt: null },
  ]);
});

it('is given up when the process of its last attempt ends without a word', async () => {
  await queue.test('alc_1');
  await pool.query('update alert_delivery set attempt = 6');
  expect(await due()).toMatchObject({ attempt: 7 });
  expect(await due()).toBeUndefined();
  expect(await queue.list('alc_1')).toMatchObject([
    { status: 'failed', error: expect.stringMatching(/^Whether it arrived/) },
  ]);
});

it('waits with nineteen others at most: the oldest are given up, those that are being sent are not', async () => {
  const waiting: string[] = [];
  for (let n = 0; n < 23; n++) waiting.push((await queue.test('alc_1')).id);
  await pool.query("update alert_delivery set created_at = now() - interval '1 hour' where id = $1", [waiting[0]]);
  const [sent] = await store.claim();
  expect(sent?.id).toBe(waiting[0]);
  const client = await pool.connect();
  await queue.add(client, [CHANGE]).finally(() => client.release());
  const notices = await queue.list('alc_1');
  const inState = (wanted: string) => notices.filter(({ status }) => status === wanted).map(({ id }) => id);
  expect(inState('failed').toSorted()).toEqual(waiting.slice(1, 4).toSorted());
  expect(inState('pending')).toHaveLength(21);
  expect(inState('pending')).toContain(sent?.id);
  const given = notices.find(({ status }) => status === 'failed');
  expect(given?.error).toBe('It was given up: 20 newer notices waited for this channel.');
});
