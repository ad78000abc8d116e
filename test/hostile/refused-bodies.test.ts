import { request as httpRequest, Agent as KeptConnections } from 'node:http';
import { Readable } from 'node:stream';
import { Agent as UndiciAgent, request as undiciRequest } from 'undici';
import { describe, expect, it } from 'vitest';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
const { apiKey } = await house.account({ credit: 0 });
const { url, dashboardUrl } = house.product;

const MB = 1024 * 1024;
/** More than is read away, so that a client has written all of it before its connection ends, and much more. */
const TOO_LONG = [41 * MB, 79 * MB];
const PIECE = Buffer.alloc(256 * 1024, ' ');

function* blanks(bytes: number) {
  for (let sent = 0; sent < bytes; sent += PIECE.length) yield PIECE;
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes?: number;
}

interface Answer {
  readonly status: number;
  readonly connection: unknown;
  readonly text: string;
}

/** A client that keeps one connection to each address, and takes another one only where that has ended. */
interface Client extends Disposable {
  send(call: Sent): Promise<Answer>;
}

function nodeClient(): Client {
  const agent = new KeptConnections({ keepAlive: true, maxSockets: 1 });
  return {
    send: ({ method, url: to, headers, bodyBytes = 0 }) =>
      new Promise((resolve, reject) => {
        const sent = httpRequest(to, { method, headers, agent }, (res) => {
          let text = '';
          res.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          const { statusCode: status = 0 } = res;
          res.on('end', () => resolve({ status, connection: res.headers.connection, text }));
        });
        sent.on('error', reject);
        // A pipe would end with the answer: this client writes on, as one does whose body is a text.
        for (const piece of blanks(bodyBytes)) sent.write(piece);
        sent.end();
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function undiciClient(): Client {
  const dispatcher = new UndiciAgent({ connections: 1, pipelining: 1 });
  return {
    send: async ({ method, url: to, headers, bodyBytes = 0 }) => {
      const body = bodyBytes > 0 ? Readable.from(blanks(bodyBytes)) : null;
      const answer = await undiciRequest(to, { method: method as 'POST', headers, dispatcher, body });
      const text = await answer.body.text();
      return { status: answer.statusCode, connection: answer.headers['connection'], text };
    },
    [Symbol.dispose]: () => void dispatcher.destroy(),
  };
}

const json = { 'content-type': 'application/json' };
const bearer = { authorization: `Bearer ${apiKey}` };
const site = { origin: dashboardUrl, 'sec-fetch-site': 'same-origin' };

/** Each refuses the body at another place. */
const REFUSALS: readonly [name: string, status: number, call: Sent][] = [
  ['GraphQL', 413, { method: 'POST', url: `${url}/graphql`, headers: { ...json, ...bearer } }],
  ['GraphQL that is no JSON', 413, { method: 'POST', url: `${url}/graphql`, headers: bearer }],
  ['GraphQL without a key', 401, { method: 'POST', url: `${url}/graphql`, headers: json }],
  ['REST', 413, { method: 'POST', url: `${url}/v1/ocr`, headers: { ...json, ...bearer, 'idempotency-key': 'k' } }],
  [
    'REST that is no JSON',
    400,
    { method: 'POST', url: `${url}/v1/ocr`, headers: { ...bearer, 'idempotency-key': 'k' } },
  ],
  ['REST without a key', 401, { method: 'POST', url: `${url}/v1/ocr`, headers: json }],
  ['a method that there is not', 405, { method: 'PUT', url: `${url}/v1/ocr`, headers: bearer }],
  ['no such address', 404, { method: 'POST', url: `${url}/nowhere`, headers: bearer }],
  ['a login', 413, { method: 'POST', url: `${dashboardUrl}/api/login`, headers: { ...json, ...site } }],
  ['a page of another site', 403, { method: 'POST', url: `${dashboardUrl}/api/login`, headers: json }],
  ['GraphQL without a session', 401, { method: 'POST', url: `${dashboardUrl}/graphql`, headers: { ...json, ...site } }],
];

describe.each([
  ['Node’s http.Agent', nodeClient],
  ['undici', undiciClient],
])('a body that is refused before it is read, from %s', (_name, open) => {
  it.concurrent.each(REFUSALS)('%s: the connection is not offered for the next call', async (_what, status, call) => {
    const cases = TOO_LONG.flatMap((bodyBytes) => [
      { how: `${bodyBytes} bytes`, bodyBytes, headers: { ...call.headers, 'content-length': String(bodyBytes) } },
      { how: `${bodyBytes} bytes in chunks`, bodyBytes, headers: call.headers },
    ]);
    for (const { how, bodyBytes, headers } of cases) {
      using client = open();
      const answer = await client.send({ ...call, headers, bodyBytes });
      expect({ how, status: answer.status }, answer.text).toEqual({ how, status });
      // Not yet the end of the body, for some clients: the next call waits for the connection, or takes another one.
      const next = await client.send({ method: 'GET', url: `${new URL(call.url).origin}/livez`, headers: {} });
      expect(next.status).not.toBe(0);
      expect({ how, connection: answer.connection }).toEqual({ how, connection: 'close' });
    }
  });

  it('keeps the connection where the rest of the body is read', async () => {
    using client = open();
    for (const bytes of [0, PIECE.length, 20 * MB]) {
      const headers = { ...json, 'content-length': String(bytes) };
      const answer = await client.send({ method: 'POST', url: `${url}/v1/ocr`, headers, bodyBytes: bytes });
      expect(answer.status).toBe(401);
      expect(answer.connection).not.toBe('close');
    }
  });
});
