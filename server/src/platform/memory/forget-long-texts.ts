/** Characters. Only documents have as many: what else a request goes on with, its native_settings above all, is shorter. */
const LONG = 64 * 1024;

/** Empties the long texts of a value that has been read, which somebody holds until an answer is there. */
export function forgetLongTexts(value: unknown): void {
  const waiting = [value]; // a caller's value, however deep it is nested
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (typeof inner === 'string' && inner.length >= LONG) (next as Record<string, unknown>)[name] = '';
      else waiting.push(inner);
    }
  }
}
