import type { WebSocket } from 'ws';
import type { Caller } from '../../accounts/callers/caller.ts';

/** Most unread bytes of one socket. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Most unread bytes of all sockets of an account, with all its keys. */
const MOST_OF_AN_ACCOUNT = 16 * 1024 * 1024;

type Socket = Pick<WebSocket, 'bufferedAmount'>;

/** The sockets to be ended: those with too much unread, and of an account with too much unread those with the most. */
export function unreadSockets<S extends Socket>(
  peers: Iterable<readonly [S, { readonly caller: Pick<Caller, 'accountId'> | null }]>,
): S[] {
  const unread = [...peers]
    .map(([socket, { caller }]) => ({ socket, bytes: socket.bufferedAmount, account: caller?.accountId ?? '' }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => a.bytes - b.bytes);
  const left = new Map<string, number>();
  return unread.flatMap(({ socket, bytes, account }) => {
    const sum = (left.get(account) ?? 0) + bytes;
    if (bytes > MOST_BYTES || sum > MOST_OF_AN_ACCOUNT) return [socket];
    left.set(account, sum);
    return [];
  });
}
