import { expect, it } from 'vitest';
import { unreadSockets } from './unread-sockets.ts';

const MB = 1024 * 1024;

function socket(megabytes: number, accountId: string) {
  return [{ bufferedAmount: megabytes * MB }, { caller: { accountId } }] as const;
}

it('ends a socket that leaves too much unread, and those with the most of an account that does so by many', () => {
  const sockets = [
    socket(5, 'alone'),
    socket(4, 'alone'),
    ...Array.from({ length: 5 }, () => socket(3.5, 'many')),
    socket(0.5, 'many'),
    socket(3.5, 'other'),
  ];
  const ended = unreadSockets(sockets).map(({ bufferedAmount }) => bufferedAmount / MB);
  expect(ended).toEqual([3.5, 5]);
});
