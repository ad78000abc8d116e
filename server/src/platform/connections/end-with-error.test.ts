import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { endWithError } from './end-with-error.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A client of a server that refuses whoever connects; `refused` is the server's end. */
async function refusedClient(error: AppError): Promise<{ client: Socket; refused: Socket; text: () => string }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true }); // it listens on a port
  const [refused] = (await connected) as [Socket];
  closing.push(() => {
    client.destroy();
    refused.destroy();
    server.close();
  });
  let text = '';
  client.on('data', (chunk) => {
    text += chunk;
  });
  for (const end of [client, refused]) end.on('error', () => undefined);
  endWithError(refused, error, { 'X-API-Version': '2026-01-01' });
  return { client, refused, text: () => text };
}

it('writes the status, the headers and the envelope', async () => {
  const error = new AppError('rate_limited', 'Überall zu viel.', { retryAfterSeconds: 3, headers: { 'X-Own': 'own' } });
  const { client, text } = await refusedClient(error);
  await once(client, 'end');
  const [head = '', body = ''] = text().split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'HTTP/1.1 429 Too Many Requests',
      'X-API-Version: 2026-01-01',
      'X-Own: own',
      'Retry-After: 3',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]),
  );
  expect(JSON.parse(body)).toEqual({
    error: { code: 'rate_limited', message: 'Überall zu viel.' },
    retry_after_seconds: 3,
  });
});

it('a client that writes all that it has before it reads sees the answer', async () => {
  const { client, refused, text } = await refusedClient(new AppError('invalid_request', 'No.'));
  client.pause();
  await new Promise((resolve) => client.write(Buffer.alloc(200 * 1024), resolve));
  client.end();
  client.resume();
  await once(refused, 'close');
  expect(text()).toContain('"code":"invalid_request"');
});

it('a client that ends its side holds nothing', async () => {
  const { client, refused } = await refusedClient(new AppError('invalid_request', 'No.'));
  client.end();
  await once(refused, 'close');
});

it.each([
  ['stays and says nothing', () => undefined],
  ['goes on sending', (client: Socket) => flood(client)],
])('a client that %s is cut off', async (_what, act) => {
  const { client, refused } = await refusedClient(new AppError('invalid_request', 'No.'));
  act(client);
  await once(refused, 'close');
});

function flood(client: Socket): void {
  const write = () => {
    while (!client.destroyed && client.write(Buffer.alloc(65_536))) {} // until it is full
  };
  client.on('drain', write);
  write();
}
