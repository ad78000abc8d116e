/** The mean of scores from 0 to 1; null when an engine gives none. A score beyond the scale is none. */
export function meanConfidence(scores: readonly (number | null | undefined)[]): number | null {
  const valid = scores.flatMap((score) => (typeof score === 'number' && score >= 0 && score <= 1 ? [score] : []));
  return valid.length > 0 ? valid.reduce((sum, score) => sum + score, 0) / valid.length : null;
}
