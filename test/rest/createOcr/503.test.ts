import { afterAll, expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { until } from '../../house/until.ts';

const house = await openHouse({ engines: { reader: {}, switched: {}, resting: { enabled: false } } });
afterAll(() => house[Symbol.asyncDispose]());

it('an engine that the operator has disabled, until it is enabled again', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  await house.admin.setEngineEnabled('reader', false);
  await until('the switch is known', async () => (await caller.ocr(await pictureBody())).status === 503);
  const { balance_usd } = await house.admin.showAccount(accountId);
  const body = await pictureBody();
  const refused = await caller.ocr(body, { key: 'patient' });
  expectError(refused, 503, 'engine_unavailable', /reader/);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  await expectBalance(house, accountId, balance_usd);
  await house.admin.setEngineEnabled('reader', true);
  const read = await until('the engine is back', async () => {
    const reply = await caller.ocr(body, { key: 'patient' });
    return reply.status !== 503 && reply;
  });
  expect(read.status).toBe(200);
  expect(read.headers).not.toHaveProperty('idempotent-replayed');
  await expectBalance(house, accountId, Number((balance_usd - 0.01).toFixed(9)));
});

it('does not keep a finished request from being replayed', async () => {
  const { caller } = await house.account();
  const body = await pictureBody('switched');
  const first = await caller.ocr(body, { key: 'done' });
  await house.admin.setEngineEnabled('switched', false);
  await until('the switch is known', async () => (await caller.ocr(await pictureBody('switched'))).status === 503);
  const replay = await caller.ocr(body, { key: 'done' });
  expect(replay.status).toBe(200);
  expect(replay.body).toEqual(first.body);
});

it('an engine that ENGINES_FILE disables', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const reply = await caller.ocr(await pictureBody('resting'));
  expectError(reply, 503, 'engine_unavailable');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(house.engines.calls('resting')).toEqual([]);
  await expectBalance(house, accountId, 1);
});

it('is still shown as available in the catalogue', async () => {
  const { body } = await house.stranger.get<{ data: { id: string; status: string }[] }>('/v1/engines');
  const statuses = Object.fromEntries(body.data.map(({ id, status }) => [id, status]));
  expect(statuses).toMatchObject({ resting: 'available', switched: 'available' });
});
