import { expect, it } from 'vitest';
import { Caller } from '../house/caller.ts';
import { says } from '../house/engine-answers.ts';
import { expectError } from '../house/expect-error.ts';
import { makeGate } from '../house/gate.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { openOwnHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { until } from '../house/until.ts';

it('SIGTERM turns /readyz red, turns new work away, and lets what runs end', async () => {
  await using house = await openOwnHouse();
  const { caller } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('finished');
  });
  const running = caller.ocr(await pictureBody());
  await until('it runs', () => house.engines.calls('reader').length === 1);
  const stopped = house.product.stop();
  await until('/readyz is red', async () => (await house.stranger.get('/readyz')).status === 503);
  expectError(await caller.ocr(await pictureBody()), 503, 'engine_unavailable');
  gate.open();
  expect((await running).body).toMatchObject({ status: 'succeeded', extracted_text: 'finished' });
  await stopped;
  expect(house.product.running).toBe(false);
});

it('hands back what does not end in time: the next process runs it', async () => {
  await using house = await openOwnHouse({ env: { SHUTDOWN_LIMIT_MS: '300' } });
  const { accountId, apiKey, caller } = await house.account({ credit: 1 });
  let first = true;
  house.engines.script('reader', async () => {
    if (!first) return says('the second time');
    first = false;
    return new Promise(() => {});
  });
  const { body } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
  await until('it runs', () => house.engines.calls('reader').length === 1);
  await house.product.stop();
  const engines = [house.engines.entry('reader')];
  await using product = await hostProduct({ databaseUrl: house.product.databaseUrl, engines });
  const again = new Caller(product.url, apiKey);
  const result = await until('it is read', async () => {
    const { body: now } = await again.get(`/v1/ocr/${body.request_id}`);
    return now.status === 'succeeded' && now;
  });
  expect(result).toMatchObject({ extracted_text: 'the second time', cost_debited: 0.01 });
  expect(await house.admin.showAccount(accountId)).toMatchObject({ balance_usd: 0.99, held_usd: 0 });
});
