import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import { makePages } from './pages.ts';

it('without the package of the reference there is the contract, and a sentence at /docs', async () => {
  const server = express()
    .use(makePages({ openapi: '3.1.0' }, null))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is always an AddressInfo
  try {
    expect(await (await fetch(`${url}/openapi.json`)).json()).toEqual({ openapi: '3.1.0' });
    const answer = await fetch(`${url}/docs`);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('swagger-ui-dist')]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
