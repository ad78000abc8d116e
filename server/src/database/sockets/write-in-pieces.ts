import type { Socket } from 'node:net';

/** Bytes that are handed to the system in one go, which takes a few tenths of a millisecond. */
const PIECE = 128 * 1024;

type Done = (error?: Error | null) => void;

/**
 * Has long values sent in pieces, with turns for others in between: the system's copying of a document of five megabytes kept the
 * service's thread that long. The order stays. A short value that does not wait behind a long one goes out as before.
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
