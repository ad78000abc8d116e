import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { listeners } from '../shared/listeners.ts';
import { openChannel } from './channel.ts';

let server: WebSocketServer;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});

afterEach(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

it('fails what was asked of a lost server, says that it is offline, and that it is back', async () => {
  const opened = once(server, 'connection');
  const events = listeners();
  const states: string[] = [];
  events.on('connection.state', ({ state }) => states.push(state));
  const back = new Promise<void>((resolve) => events.on('bridge.back', resolve));
  const { port } = server.address() as AddressInfo; // TCP: always an AddressInfo
  const channel = openChannel(`ws://127.0.0.1:${port}`, events);
  const [socket] = (await opened) as [WebSocket];
  const asked = once(socket, 'message');
  const answer = channel.call('app.info', undefined);
  await asked;

  const again = once(server, 'connection');
  socket.terminate();
  await expect(answer).rejects.toThrow('local server has stopped');
  expect(states).toEqual(['offline']);
  const [next] = (await again) as [WebSocket];
  await back;

  next.on('message', (data) => {
    const { call } = JSON.parse(String(data)) as { call: number }; // as the channel sends it
    next.send(JSON.stringify({ call, output: { profiles: [], selectedId: null } }));
  });
  expect(await channel.call('profiles.list', undefined)).toEqual({ profiles: [], selectedId: null });
});
