import { connect, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { says } from '../house/engine-answers.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { until } from '../house/until.ts';

const house = await openHouse({ env: { MAX_BODIES_MB: '64' } });
afterAll(() => house[Symbol.asyncDispose]());

const TEXT = Array.from({ length: 500_000 }, (_, i) => `word${i}`).join(' ');

/** Asks, and reads nothing of the answer. */
function askUnread(path: string, apiKey: string): Socket {
  const { hostname, port } = new URL(house.product.url);
  const socket = connect({ host: hostname, port: Number(port) }).pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`);
  return socket;
}

it('answers that nobody reads fill no memory: their account has a share of it, and others read theirs', async () => {
  const [unread, reader] = await Promise.all([house.account(), house.account()]);
  house.engines.script('reader', says(TEXT));
  const [{ body: one }, { body: other }] = await Promise.all([
    unread.caller.ocr(await pictureBody()),
    reader.caller.ocr(await pictureBody()),
  ]);
  expect(one.extracted_text).toHaveLength(TEXT.length);
  const sockets = Array.from({ length: 40 }, () => askUnread(`/v1/ocr/${one.request_id}`, unread.apiKey));
  const ended = new Set<Socket>();
  for (const socket of sockets) {
    // Nothing is read, so only a reset is noticed.
    const write = setInterval(() => socket.write('\r\n'), 100);
    socket.once('close', () => {
      clearInterval(write);
      ended.add(socket);
    });
  }
  const replies = await Promise.all(Array.from({ length: 10 }, () => reader.caller.get(`/v1/ocr/${other.request_id}`)));
  for (const { status, body } of replies) expect([status, body.extracted_text?.length]).toEqual([200, TEXT.length]);
  // A quarter of 64 MB are four answers of 4.9 MB; of each the system's buffers hold a part.
  await until('most have lost their connection', () => ended.size >= 30);
  for (const socket of sockets) socket.destroy();
});
