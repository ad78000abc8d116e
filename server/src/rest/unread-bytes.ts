import type { ServerResponse } from 'node:http';

/** Bytes in memory of which answers are made while they are sent. */
const sources = new WeakMap<ServerResponse, number>();

/** Notes that an answer is made of so many bytes in memory, until the result is disposed of. */
export function holdSource(res: ServerResponse, bytes: number): Disposable {
  sources.set(res, bytes);
  return { [Symbol.dispose]: () => sources.delete(res) };
}

/** Bytes in memory that wait for an answer's reader: 0 for an answer that is still being made and whose reader takes it. */
export function unreadBytes(res: ServerResponse): number {
  if (res.writableEnded) return res.writableLength;
  return res.writableNeedDrain ? (sources.get(res) ?? 0) : 0;
}
