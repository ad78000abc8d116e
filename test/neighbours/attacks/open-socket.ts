import { WebSocket } from 'ws';
import { aborted } from '../persist.ts';

/** A GraphQL socket of the key's, acknowledged. */
export async function openSocket(url: string, apiKey: string, signal: AbortSignal): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  signal.addEventListener('abort', () => socket.terminate(), { once: true });
  socket.on('error', () => undefined); // 'close' follows
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('close', reject);
  });
  const acknowledged = new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve());
    socket.once('close', reject);
  });
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${apiKey}` } }));
  await acknowledged;
  return socket;
}

/** Until the service has closed the socket, the time is over, or the attack. */
export async function ended(socket: WebSocket, signal: AbortSignal, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([closed, aborted(AbortSignal.any([signal, AbortSignal.timeout(ms)]))]);
  socket.terminate();
}
