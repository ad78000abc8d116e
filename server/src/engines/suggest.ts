import { distance } from 'fastest-levenshtein';

const MAX_SUGGESTIONS = 3;
/** No engine id is longer; the rest of a longer one is not compared. */
const MAX_LENGTH = 100;
const MIN_SUBSTRING = 3;

/** Up to three known ids close to an unknown one, best first: those that begin with it, contain it, or differ by typing. */
export function suggest(id: string, known: readonly string[]): string[] {
  const typed = id.trim().slice(0, MAX_LENGTH).toLowerCase();
  if (typed === '') return [];
  return known
    .map((candidate) => ({ candidate, ...closeness(typed, candidate.toLowerCase()) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.edits - b.edits || a.candidate.localeCompare(b.candidate))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

/** How a candidate is close: 0 by its beginning, 1 by a part, 2 by few edits; null when it is not. */
function closeness(typed: string, candidate: string): { rank: 0 | 1 | 2 | null; edits: number } {
  const edits = distance(typed, candidate);
  const shorter = Math.min(typed.length, candidate.length);
  if (candidate.startsWith(typed) || (shorter >= MIN_SUBSTRING && typed.startsWith(candidate)))
    return { rank: 0, edits };
  if (shorter >= MIN_SUBSTRING && (candidate.includes(typed) || typed.includes(candidate))) return { rank: 1, edits };
  return { rank: edits <= Math.max(2, 0.4 * typed.length) ? 2 : null, edits };
}
