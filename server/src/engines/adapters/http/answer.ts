/** Least characters of an answer whose values are counted: a shorter one has not too many. */
const LONG = 512 * 1024;
/** Most values of an answer: that of the densest pages, at the limit of bytes, has 2.7 million. */
const MOST_VALUES = 3_000_000;
/** The characters before each value: a list's or an object's beginning, or a comma. */
const MARKS = [',', '[', '{'];

/** The value of a JSON text; null where it is not JSON, or of so many values that everybody would wait for them. */
export function parseJson(text: string): unknown {
  if (text.length >= LONG && hasTooManyValues(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Counts the marks in texts, too. */
function hasTooManyValues(text: string): boolean {
  let values = 0;
  for (const mark of MARKS) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      if (++values > MOST_VALUES) return true;
    }
  }
  return false;
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
