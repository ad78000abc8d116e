import type { WebSocket } from 'ws';
import type { Caller } from '../../accounts/callers/caller.ts';
import type { TurnedJson } from '../../platform/turns/json-in-turns.ts';
import type { Receiver } from './shared-feeds.ts';

/** The properties of a caller that decide which events it may see. Receivers with equal ones share one serialised message. */
export function audienceOf({ accountId, scopes, history, textDays, via }: Caller): unknown[] {
  return [accountId, [...scopes].sort(), history, textDays ?? null, via];
}

/** Makes the receiver that sends the `next` messages of one operation, around results that are JSON already. */
export function receiverOf(socket: WebSocket, id: string): Receiver {
  const head = headOf(id);
  return (result) => {
    if (socket.readyState !== socket.OPEN) return;
    if (typeof result === 'string') socket.send(`${head}${result}${TAIL}`);
    else socket.send(result, { binary: false });
  };
}

/** The bytes of a `next` message of a large result: as a text it would be made, joined, and turned into bytes again. */
export function messageInTurns(id: string, result: TurnedJson): Promise<Buffer> {
  return result.bytes(headOf(id), TAIL);
}

const TAIL = '}';

function headOf(id: string): string {
  return `{"type":"next","id":${JSON.stringify(id)},"payload":`;
}
