import { createReadStream } from 'node:fs';
import type { Source } from '@ocr-router/client';
import { onDisk } from './path-bytes.ts';

/** The file at a path as the client takes it, which knows paths as texts only; it may be read more than once. */
export function sourceOf(path: string): Source {
  const place = onDisk(path);
  return typeof place === 'string' ? place : { [Symbol.asyncIterator]: () => createReadStream(place).iterator() };
}
