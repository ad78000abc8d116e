import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AdminDesk } from './admin-desk.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { LeftProcesses } from './left-processes.ts';

/**
 * Hands out databases to test files, which run in processes of their own: `POST /` answers with the URL of a new one.
 * PostgreSQL starts with the first one asked for, so that a run of plain unit tests costs no database. `/admin`: see
 * `AdminDesk`; `/left`: see `LeftProcesses`.
 */
export async function openClusterDesk(): Promise<{ url: string; close(): Promise<void> }> {
  let cluster: Promise<Cluster> | undefined;
  const admins = new AdminDesk();
  const left = new LeftProcesses();
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/admin')) return void admins.answer(request, response);
    if (request.url?.startsWith('/left')) return void left.answer(request, response);
    try {
      cluster ??= startCluster();
      response.end(await (await cluster).createDatabase());
    } catch (error) {
      response.writeHead(500).end(String((error as Error).stack ?? error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is always an AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await left[Symbol.asyncDispose]();
      await admins[Symbol.asyncDispose]();
      await (await cluster?.catch(() => undefined))?.stop();
    },
  };
}
