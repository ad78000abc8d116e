/** A key of its own for every click: the same click never pays twice. `randomUUID` is not there on plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `playground-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
