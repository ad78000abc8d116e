import type { Socket } from 'node:net';

/** A message on the pipe between the service and a picture process: a head as JSON, and bytes behind it. */
export interface Frame {
  readonly head: unknown;
  readonly bytes: Buffer;
}

const LENGTHS_BYTES = 8;

export function writeFrame(pipe: Socket, head: unknown, bytes: Uint8Array = Buffer.alloc(0)): void {
  const text = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32LE(text.length, 0);
  lengths.writeUInt32LE(bytes.length, 4);
  pipe.cork();
  pipe.write(lengths);
  pipe.write(text);
  if (bytes.length > 0) pipe.write(bytes);
  pipe.uncork();
}

/** Calls `onFrame` for each frame that has come whole. */
export function readFrames(pipe: Socket, onFrame: (frame: Frame) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = LENGTHS_BYTES;
  pipe.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= wanted) {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
      chunks = [all];
      const textLength = all.readUInt32LE(0);
      wanted = LENGTHS_BYTES + textLength + all.readUInt32LE(4);
      if (size < wanted) return;
      const text = all.toString('utf8', LENGTHS_BYTES, LENGTHS_BYTES + textLength);
      const bytes = all.subarray(LENGTHS_BYTES + textLength, wanted);
      chunks = [all.subarray(wanted)];
      size -= wanted;
      wanted = LENGTHS_BYTES;
      onFrame({ head: JSON.parse(text), bytes });
    }
  });
}
