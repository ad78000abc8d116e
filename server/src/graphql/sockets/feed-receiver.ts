import type { WebSocket } from 'ws';
import type { Caller } from '../../accounts/callers/caller.ts';
import type { Receiver } from './shared-feeds.ts';

/** What decides which events a caller may see: receivers of equal audiences share one serialised message. */
export function audienceOf({ accountId, scopes, history, textDays, via }: Caller): unknown[] {
  return [accountId, [...scopes].sort(), history, textDays ?? null, via];
}

const END = Buffer.from('}');

/** The `next` messages of one operation, around results that are JSON already. */
export function receiverOf(socket: WebSocket, id: string): Receiver {
  const head = `{"type":"next","id":${JSON.stringify(id)},"payload":`;
  return (result) => {
    if (socket.readyState !== socket.OPEN) return;
    if (typeof result === 'string') socket.send(`${head}${result}}`);
    else socket.send(Buffer.concat([Buffer.from(head), ...result, END]), { binary: false });
  };
}
