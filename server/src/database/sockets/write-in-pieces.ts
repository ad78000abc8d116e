import type { Socket } from 'node:net';

/** Bytes that are handed to the system in one go: a few tenths of a millisecond. */
const PIECE = 128 * 1024;

type Done = (error?: Error | null) => void;

/**
 * From now on what is long goes out in pieces, with turns for others in between: a document of five megabytes kept the service's
 * thread for as long as the system copied it. The order stays; what is short, and follows nothing long, goes out as before.
 */
export function writeInPieces(socket: Socket): void {
  const write = socket.write.bind(socket) as (bytes: Uint8Array | string, done?: Done) => boolean;
  const waiting: { bytes: Uint8Array | string; done: Done | undefined }[] = [];
  let isWriting = false;
  const advance = (error?: Error | null) => {
    const [next] = waiting;
    isWriting = next !== undefined;
    if (!next) return;
    if (error || socket.destroyed) {
      isWriting = false;
      for (const { done } of waiting.splice(0)) done?.(error ?? new Error('the connection is closed'));
      return;
    }
    const { bytes, done } = next;
    const last = typeof bytes === 'string' || bytes.length <= PIECE;
    if (last) waiting.shift();
    else next.bytes = bytes.subarray(PIECE);
    write(last ? bytes : bytes.subarray(0, PIECE), (failure) => {
      if (last) done?.(failure);
      setImmediate(advance, failure);
    });
  };
  const inOrder = (bytes: Uint8Array | string, done?: Done): boolean => {
    if (!isWriting && bytes.length <= PIECE) return write(bytes, done);
    waiting.push({ bytes, done });
    if (!isWriting) setImmediate(advance);
    isWriting = true;
    return false;
  };
  socket.write = inOrder as Socket['write'];
}
