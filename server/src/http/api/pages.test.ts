import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import { makePages } from './pages.ts';

it('without the reference and the explorer there is the contract, and a sentence in place of each', async () => {
  const server = express()
    .use(makePages({ openapi: '3.1.0' }, { reference: null, explorer: null }))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is always an AddressInfo
  try {
    expect(await (await fetch(`${url}/openapi.json`)).json()).toEqual({ openapi: '3.1.0' });
    const reference = await fetch(`${url}/docs`);
    expect([reference.status, await reference.text()]).toEqual([404, expect.stringContaining('swagger-ui-dist')]);
    const explorer = await fetch(`${url}/graphiql`);
    expect([explorer.status, await explorer.text()]).toEqual([404, expect.stringContaining('/graphql')]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
