/** Characters of a text that is worth no thought. */
const SHORT = 1000;

/** Empties the long texts of a value that has been read, which somebody holds until an answer is there. */
export function forgetLongTexts(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object') forgetLongTexts(inner);
    else if (typeof inner === 'string' && inner.length > SHORT) (value as Record<string, unknown>)[name] = '';
  }
}
