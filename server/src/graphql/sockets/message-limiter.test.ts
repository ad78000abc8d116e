import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { MessageLimiter } from './message-limiter.ts';

/** A socket as far as it is listened to. */
function bounded(accountId?: string) {
  const socket = Object.assign(new EventEmitter(), { pause: vi.fn(), resume: vi.fn() });
  const onTooMuch = vi.fn();
  new MessageLimiter().bound(socket as unknown as WebSocket, () => accountId, onTooMuch);
  return { socket, onTooMuch };
}

it.each(['message', 'ping', 'pong'])('takes some of a peer that has not said who it is, and not many (%s)', (what) => {
  const { socket, onTooMuch } = bounded();
  for (let n = 0; n < 16; n++) socket.emit(what, Buffer.from('x'));
  expect(onTooMuch).not.toHaveBeenCalled();
  socket.emit(what, Buffer.from('x'));
  expect(onTooMuch).toHaveBeenCalledOnce();
});

it.each(['message', 'ping', 'pong'])('reads later what an account sends too fast (%s)', (what) => {
  const { socket, onTooMuch } = bounded('account');
  for (let n = 0; n < 5000; n++) socket.emit(what, Buffer.from('x'));
  expect(socket.pause).toHaveBeenCalled();
  expect(onTooMuch).not.toHaveBeenCalled();
});
