import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { ConnectionName } from '../../shared/channels.ts';
import { GatewayLink } from './gateway-link.ts';

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

/** A gateway whose socket always answers, and whose HTTP answers as long as it is told to. */
async function gatewayThatAnswers(answers: boolean) {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  stack.defer(() => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });
  sockets.on('connection', (client) =>
    client.on('message', (message) => {
      const { type } = JSON.parse(String(message)) as { type: string };
      if (type === 'connection_init') client.send('{"type":"connection_ack"}');
      if (type === 'ping') client.send('{"type":"pong"}');
    }),
  );
  await once(sockets, 'listening');
  const { port } = sockets.address() as AddressInfo; // TCP
  const http = { answers, calls: 0 };
  const fetch = async (): Promise<Response> => {
    http.calls += 1;
    if (!http.answers) throw new TypeError('fetch failed');
    return Response.json({ data: { __typename: 'Query' } });
  };
  const states: ConnectionName[] = [];
  const onState = ({ state }: { state: ConnectionName }) => void states.push(state);
  const link = stack.use(new GatewayLink({ fetch, now: Date.now, backOffMs: () => 60_000, onState }));
  const profile = { id: 'p', name: 'p', url: `http://127.0.0.1:${port}`, colour: '#000000' };
  link.open({ profile: { ...profile, readOnly: false, production: false }, token: '' });
  return { link, states, http };
}

it('is live when the socket and a call were answered', async () => {
  const { link, http } = await gatewayThatAnswers(true);
  await vi.waitFor(() => expect(link.state.state).toBe('live'), 20_000);
  expect(http.calls).toBe(1);
  expect(link.state.roundTripMs).toBeGreaterThanOrEqual(0);
});

it('is not live by its socket alone', async () => {
  const { link, states, http } = await gatewayThatAnswers(false);
  await vi.waitFor(() => expect(link.state.retryAt).not.toBeNull(), 20_000);
  expect(link.state.state).toBe('offline');
  expect(states).not.toContain('live');
  http.answers = true;
  link.retry();
  await vi.waitFor(() => expect(link.state.state).toBe('live'), 20_000);
});

it('is live no longer when calls find nobody, whatever the socket says', async () => {
  const { link, http } = await gatewayThatAnswers(true);
  await vi.waitFor(() => expect(link.state.state).toBe('live'), 20_000);
  http.answers = false;
  await expect(link.execute({ query: '{ engines { id } }', variables: {} })).rejects.toThrow('cannot be reached');
  await vi.waitFor(() => expect(link.state.state).toBe('offline'), 20_000);
  expect(link.state.retryAt).not.toBeNull();
});
