import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { BeeDispatch } from './bee.ts';

/** It breaks off each connection until it is ready. */
async function startRedis() {
  const state = { connections: 0, isReady: false };
  const server = createServer((socket) => {
    state.connections++;
    socket.on('error', () => undefined); // the client may have left
    const answer = (data: Buffer) => socket.write('$0\r\n\r\n'.repeat(commandsIn(data)));
    if (state.isReady) socket.on('data', answer);
    else socket.resetAndDestroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a TCP server's address is always an AddressInfo
  return { state, url: `redis://127.0.0.1:${port}` };
}

function commandsIn(data: Buffer): number {
  return data.toString().match(/\*\d+\r\n\$/g)?.length ?? 0;
}

it('tells once that Redis does not answer, however often it is tried, and once that it does', async () => {
  const { state, url } = await startRedis();
  const told: string[] = [];
  const tell = (...args: unknown[]) => void told.push(String(args.at(-1)));
  // `as`: of a log it uses these alone.
  await using _dispatch = new BeeDispatch(url, { warn: tell, info: tell, debug: () => undefined } as unknown as Log);
  await vi.waitFor(() => expect(state.connections).toBeGreaterThan(8), 10_000);
  expect(told).toEqual([expect.stringMatching(/^Redis does not answer/)]);
  state.isReady = true;
  await vi.waitFor(() => expect(told.slice(1)).toEqual(['Redis answers again']), 10_000);
});
