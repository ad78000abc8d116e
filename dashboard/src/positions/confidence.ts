/** How sure an engine is, as a colour shows it; `unknown` where it does not say. */
type Certainty = 'sure' | 'unsure' | 'doubtful' | 'unknown';

/** Below this a page is warned of as well. */
const DOUBTFUL = 0.6;
const UNSURE = 0.85;

export function certaintyOf(confidence: number | null | undefined): Certainty {
  if (confidence === null || confidence === undefined) return 'unknown';
  if (confidence < DOUBTFUL) return 'doubtful';
  return confidence < UNSURE ? 'unsure' : 'sure';
}
