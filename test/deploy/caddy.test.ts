import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startCaddy } from './caddy.ts';

const MB = 1024 * 1024;
/** Caddy 2.6 says 502 where it breaks off what it passes on. */
const TOO_LARGE = [413, 502];
const CADDY = spawnSync('caddy', ['version']).status === 0;
if (!CADDY) console.log('skipped: caddy is not installed');

/** Answers with the length of what it was sent. */
async function openCounter() {
  const server = createServer(async (request, response) => {
    let length = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) length += chunk.length;
      response.end(String(length));
    } catch {
      response.destroy(); // Caddy has given up on what is too large
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is always an AddressInfo
  return { server, url: `http://127.0.0.1:${port}` };
}

it.skipIf(!CADDY)('Caddy lets through as much as the service takes: a document of 50 MB for an output', async () => {
  const { server, url } = await openCounter();
  await using caddy = await startCaddy([1, 2].map(() => ({ url, dashboardUrl: url })));
  try {
    const post = async (path: string, bytes: number) => {
      const response = await fetch(caddy.apiUrl + path, { method: 'POST', body: Buffer.alloc(bytes) });
      return [response.status, await response.text()];
    };
    expect(await post('/v1/ocr/ocr_1/output?format=pdf', 50 * MB)).toEqual([200, String(50 * MB)]);
    expect(TOO_LARGE).toContain((await post('/v1/ocr/ocr_1/output', 56_000_000))[0]);
    for (const path of ['/v1/ocr', '/v1/ocr/ocr_1/output/more', '/graphql']) {
      expect(await post(path, 10 * MB), path).toEqual([200, String(10 * MB)]);
      expect(TOO_LARGE, path).toContain((await post(path, 12_000_000))[0]);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
