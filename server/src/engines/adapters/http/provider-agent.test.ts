import { expect, it } from 'vitest';
import { SilentHandshake } from '../../../../../test/house/silent-handshake.ts';
import { exchange } from './exchange.ts';
import { providerAgent } from './provider-agent.ts';

const CALLS = 8;
const CONNECT_TIMEOUT_MS = 1000;

it('gives each call a connection of its own, with a time of its own, and by HTTP/1.1', async () => {
  using provider = await SilentHandshake.start();
  await using stack = new AsyncDisposableStack();
  const http = stack.adopt(providerAgent({ connectTimeoutMs: CONNECT_TIMEOUT_MS }), (agent) => agent.destroy());
  const began = performance.now();
  const call = () => exchange(http, { url: provider.url, headers: {}, body: '{}' }, AbortSignal.timeout(30_000));
  const answers = await Promise.all(Array.from({ length: CALLS }, call));
  for (const answer of answers) expect(answer).toMatchObject({ kind: 'no answer', billed: 'no' });
  expect(performance.now() - began).toBeLessThan(6 * CONNECT_TIMEOUT_MS); // one after the other they take 8 times as long
  expect(provider.hellos).toHaveLength(CALLS);
  expect(provider.isOfferedHttp2).toBe(false);
});
