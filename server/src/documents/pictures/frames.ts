import type { Socket } from 'node:net';

/** A message on the pipe between the service and a picture process: a head as JSON, and bytes behind it. */
export interface Frame {
  readonly head: unknown;
  readonly bytes: Buffer;
}

const LENGTHS_BYTES = 8;
/** Most bytes of a head, and of what is behind it: more than any document or picture has. */
const MOST_HEAD_BYTES = 1024 ** 2;
const MOST_BYTES = 1024 ** 3;

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

/**
 * Calls `onFrame` for each frame that has come whole. Destroys a pipe on which something else comes: a picture may have taken over
 * the process at its other end.
 */
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
      const [textLength, bytesLength] = [all.readUInt32LE(0), all.readUInt32LE(4)];
      if (textLength > MOST_HEAD_BYTES || bytesLength > MOST_BYTES)
        return void pipe.destroy(new Error('no frame: too long'));
      wanted = LENGTHS_BYTES + textLength + bytesLength;
      if (size < wanted) return;
      const head = parsed(all.toString('utf8', LENGTHS_BYTES, LENGTHS_BYTES + textLength));
      if (head === undefined) return void pipe.destroy(new Error('no frame: its head is not JSON'));
      const bytes = all.subarray(LENGTHS_BYTES + textLength, wanted);
      chunks = [all.subarray(wanted)];
      size -= wanted;
      wanted = LENGTHS_BYTES;
      onFrame({ head, bytes });
    }
  });
}

/** The value of a JSON text; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
