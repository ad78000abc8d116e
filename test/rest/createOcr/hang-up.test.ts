import { afterAll, beforeEach, expect, it } from 'vitest';
import { says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { makeGate } from '../../house/gate.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { hangUpAfter } from '../../house/raw-request.ts';
import { until } from '../../house/until.ts';

const house = await openHouse({ env: { SLOW_RESPONSE_MS: '300' } });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

function heldEngine(text: string) {
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says(text);
  });
  return gate;
}

it('changes nothing: the result is saved and can be read by its id', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = heldEngine('nobody was listening');
  const head = await caller.openOcr(await pictureBody());
  const id = head.headers['x-request-id'];
  head.stream.destroy();
  gate.open();
  const result = await until('the result is saved', async () => {
    const { status, body } = await caller.get(`/v1/ocr/${id}`);
    return status === 200 && body.status === 'succeeded' && body;
  });
  expect(result).toMatchObject({ request_id: id, extracted_text: 'nobody was listening', cost_debited: 0.01 });
  expect(house.engines.calls('reader')[0]?.aborted).toBe(false);
  await expectBalance(house, accountId, 0.99);
});

it('before the first byte of the answer leaves the result to the same key', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const gate = heldEngine('asked for again');
  const body = await pictureBody();
  const hangUp = new AbortController();
  const lost = caller.ocr(body, { key: 'hang-up', signal: hangUp.signal }).catch(() => 'lost');
  await house.engines.called('reader');
  hangUp.abort();
  expect(await lost).toBe('lost');
  gate.open();
  const { body: result } = await caller.ocr(body, { key: 'hang-up' });
  expect(result).toMatchObject({ status: 'succeeded', extracted_text: 'asked for again' });
  expect(house.engines.calls('reader')).toHaveLength(1);
  await expectBalance(house, accountId, 0.99);
});

it('in the middle of the body accepts nothing', async () => {
  const { accountId, apiKey, caller } = await house.account({ credit: 1 });
  const bytes = Buffer.from(JSON.stringify(await pictureBody()));
  const head = [
    'POST /v1/ocr HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    'Idempotency-Key: half',
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
  ];
  await hangUpAfter(house.product.url, [`${head.join('\r\n')}\r\n\r\n`, bytes.subarray(0, bytes.length / 2)]);
  expect((await caller.ocr(await pictureBody())).status).toBe(200); // the service goes on
  expect(house.engines.calls('reader')).toHaveLength(1);
  await expectBalance(house, accountId, 0.99);
});
