import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { says } from '../house/engine-answers.ts';
import { expectError } from '../house/expect-error.ts';
import { expectBalance } from '../house/expect-money.ts';
import { makeGate } from '../house/gate.ts';
import { type HouseAccount, LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { pictureBody, urlBody } from '../house/ocr-body.ts';
import { picture } from '../house/pictures.ts';
import { until } from '../house/until.ts';

const house = await openHouse({ engines: { reader: { concurrency: 2 } }, env: LOOPBACK_ALLOWED });
afterAll(() => house[Symbol.asyncDispose]());

/** Sends the head of an answer, and its document when it is told to; null breaks the connection. */
const answers = new Set<(end: Buffer | null) => void>();
const web = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).flushHeaders();
  const end = (document: Buffer | null) => (document ? response.end(document) : response.destroy());
  answers.add(end);
  response.once('close', () => answers.delete(end));
}).listen(0, '127.0.0.1');
await once(web, 'listening');
afterAll(() => web.close());
const slowUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}/slow.png`;

beforeEach(() => house.engines.reset());

function endAll(document: Buffer | null): void {
  for (const end of [...answers]) end(document);
}

it('documents that come slowly from their address keep no engine from the documents of others', async () => {
  const [slow, quick] = await Promise.all([house.account({ credit: 1 }), house.account()]);
  const sent = Array.from({ length: 8 }, () => slow.caller.ocr(urlBody('reader', slowUrl)));
  let isOver = false;
  const over = Promise.all(sent).then((replies) => {
    isOver = true;
    return replies;
  });
  // As many as it may wait for at once, and what had a place beside the last of them; none of its others begins.
  await until('four are waited for', () => answers.size >= 4);
  for (let i = 0; i < 5; i++) {
    const reply = await quick.caller.ocr(await pictureBody());
    expect(reply.status).toBe(200);
  }
  expect(answers.size).toBeLessThanOrEqual(5);
  expect(isOver).toBe(false);
  const ending = setInterval(() => endAll(null), 200);
  const replies = await over.finally(() => clearInterval(ending));
  for (const reply of replies) expectError(reply, 422, 'unprocessable_entity');
  await expectBalance(house, slow.accountId, 1);
});

it('estimates of accounts without money for slow documents keep nobody else from an estimate, and end soon', async () => {
  const penniless = await Promise.all(Array.from({ length: 5 }, () => house.account({ credit: 0 })));
  const [poor, paying] = await Promise.all([house.account({ credit: 0 }), house.account()]);
  const estimate = ({ caller }: HouseAccount, body: unknown) =>
    caller.call('POST', '/v1/ocr/estimate', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  let pending = penniless.length;
  const slow = penniless.map(async (account) => {
    const reply = await estimate(account, urlBody('reader', slowUrl));
    pending--;
    return reply;
  });
  await until('two are waited for', () => answers.size >= 2);
  const document = await pictureBody();
  for (const account of [paying, poor]) expect((await estimate(account, document)).status).toBe(200);
  expect(pending).toBe(penniless.length);
  for (const reply of await Promise.all(slow)) expectError(reply, 422, 'unprocessable_entity', /within 5 seconds/);
});

it('a document that came slowly is read, once its engine has a place again', async () => {
  const [slow, quick] = await Promise.all([house.account(), house.account()]);
  const png = await picture();
  const sent = Array.from({ length: 6 }, () => slow.caller.ocr(urlBody('reader', slowUrl, { mode: 'async' })));
  const ids = (await Promise.all(sent)).map(({ body }) => body.request_id);
  await until('four are waited for', () => answers.size >= 4);
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('read at last');
  });
  const others = Array.from({ length: 2 }, async () => quick.caller.ocr(await pictureBody()));
  await house.engines.called('reader', 2);
  endAll(png);
  await until('nothing comes any more', () => answers.size === 0);
  gate.open();
  for (const reply of await Promise.all(others)) expect(reply.status).toBe(200);
  for (const id of ids) {
    const result = await until('it has ended', async () => {
      endAll(png);
      const { status, body } = await slow.caller.get(`/v1/ocr/${id}`);
      return status === 200 && !['queued', 'processing'].includes(body.status) && body;
    });
    expect(result).toMatchObject({ status: 'succeeded', extracted_text: 'read at last' });
  }
  expect(house.engines.mostAtOnce('reader')).toBe(2);
});
