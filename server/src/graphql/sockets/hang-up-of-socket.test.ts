import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { hangUpOfSocket } from './hang-up-of-socket.ts';

function socket(readyState: number) {
  // Of a socket it is all that is looked at.
  return Object.assign(new EventEmitter(), { readyState, CLOSED: WebSocket.CLOSED }) as unknown as WebSocket;
}

it('tells that the socket has closed, whether before or after it is asked', () => {
  const open = socket(WebSocket.OPEN);
  const hangUp = hangUpOfSocket(open);
  const signal = hangUp();
  expect(signal.aborted).toBe(false);
  expect(hangUp()).toBe(signal);
  open.emit('close');
  expect(hangUp().reason).toMatchObject({ code: 'invalid_request' });
  expect(hangUpOfSocket(socket(WebSocket.CLOSED))().aborted).toBe(true);
});

it('costs a socket nothing that does not need it', () => {
  const open = socket(WebSocket.OPEN);
  hangUpOfSocket(open);
  expect(open.listenerCount('close')).toBe(0);
});
