/** The value of a JSON text; null where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The warning for pages that an engine was asked for and silently left out; empty where it left out none. */
export function omittedPages(asked: readonly number[], answered: readonly number[]): string[] {
  const omitted = asked.filter((page) => !answered.includes(page));
  if (omitted.length === 0) return [];
  return [
    `The engine answered for ${asked.length - omitted.length} of ${asked.length} pages; missing: ${omitted.join(', ')}.`,
  ];
}

/** The mean of scores from 0 to 1; null when an engine gives none. A score beyond the scale is none. */
export function meanConfidence(scores: readonly (number | null | undefined)[]): number | null {
  const valid = scores.flatMap((score) => (typeof score === 'number' && score >= 0 && score <= 1 ? [score] : []));
  return valid.length > 0 ? valid.reduce((sum, score) => sum + score, 0) / valid.length : null;
}
