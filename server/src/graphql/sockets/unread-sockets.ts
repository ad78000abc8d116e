import type { WebSocket } from 'ws';
import type { Caller } from '../../accounts/callers/caller.ts';

/** Of a peer that does not read. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Of all sockets of an account, however many they and its keys are. */
const MOST_OF_AN_ACCOUNT = 16 * 1024 * 1024;

type Socket = Pick<WebSocket, 'bufferedAmount'>;

/** The sockets whose peers leave too much unread: each by itself, and those with the most of an account. */
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
