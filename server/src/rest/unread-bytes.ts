import type { ServerResponse } from 'node:http';

/** What the answers that are sent while they are made are made of. */
const sources = new WeakMap<ServerResponse, number>();

/** Until it is disposed of, an answer is made of so many bytes in memory. */
export function holdSource(res: ServerResponse, bytes: number): Disposable {
  sources.set(res, bytes);
  return { [Symbol.dispose]: () => sources.delete(res) };
}

/** Bytes in memory that wait for an answer's reader: none of one that is still being made for a reader who takes it. */
export function unreadBytes(res: ServerResponse): number {
  if (res.writableEnded) return res.writableLength;
  return res.writableNeedDrain ? (sources.get(res) ?? 0) : 0;
}
