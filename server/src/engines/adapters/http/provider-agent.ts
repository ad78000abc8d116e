import { Agent } from 'undici';

const CONNECTIONS_EACH = 256;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Makes the HTTP client for providers. Only the time for a connection is limited: each call has a signal of its own. There is no
 * HTTP/2: all calls to a provider would share one connection. Where that one goes silent, those that come later would wait on it,
 * too, and while its handshake lasts undici lets all others wait, one after the other.
 */
export function providerAgent({ connectTimeoutMs = CONNECT_TIMEOUT_MS } = {}): Agent {
  return new Agent({
    connections: CONNECTIONS_EACH,
    allowH2: false,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
