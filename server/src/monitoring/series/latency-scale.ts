/** Below this many milliseconds every step of the scale is one millisecond. */
const EXACT_BELOW_MS = 100;
/** Growth from there on: a step is 2 % wide, so that its middle is at most 1 % off. */
const GROWTH = 1.02;

/** Numbers of latencies on each step of the scale, in ascending order of steps. */
export type Histogram = readonly (readonly [step: number, count: number])[];

/** SQL for the step on which a column's milliseconds fall; null stays null. */
export function stepSql(column: string): string {
  const logarithm = `ln(${column} / ${EXACT_BELOW_MS}::float8) / ln(${GROWTH}::float8)`;
  return `case when ${column} < ${EXACT_BELOW_MS} then greatest(${column}, 0)
          else ${EXACT_BELOW_MS} + floor(${logarithm})::int end`;
}

/** The middle of a step in milliseconds. */
export function latencyOfStep(step: number): number {
  return step < EXACT_BELOW_MS ? step : EXACT_BELOW_MS * GROWTH ** (step - EXACT_BELOW_MS + 0.5);
}

/** A percentile (0 to 1) in milliseconds, between two neighbours as PostgreSQL's percentile_cont; null without data. */
export function percentile(histogram: Histogram, share: number): number | null {
  const total = histogram.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * (total - 1);
  const low = latencyAt(histogram, Math.floor(rank));
  const high = latencyAt(histogram, Math.ceil(rank));
  return Math.round(10 * (low + (high - low) * (rank - Math.floor(rank)))) / 10;
}

/** The latency of the n-th shortest, counted from 0. */
function latencyAt(histogram: Histogram, n: number): number {
  let passed = 0;
  for (const [step, count] of histogram) {
    passed += count;
    if (n < passed) return latencyOfStep(step);
  }
  throw new Error('the rank lies within the histogram');
}
