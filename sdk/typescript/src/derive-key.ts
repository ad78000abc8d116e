import { sha256 } from './document.ts';

/** The key of a request that was given none: the same for the same document and options, in whatever order they stand. */
export function deriveKey(documentSha256: string, request: Readonly<Record<string, unknown>>): string {
  return sha256(JSON.stringify([documentSha256, { ...request, input: null }], sorted));
}

/** An object with its fields in order; `JSON.stringify` leaves out those that are undefined. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
