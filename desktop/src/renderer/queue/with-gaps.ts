interface Point {
  readonly atMs: number;
  readonly value: number | null;
}

/** Samples as a chart draws them: where one is missing for longer than they usually are apart, the line breaks. */
export function withGaps(points: readonly Point[]): readonly Point[] {
  const steps = points.slice(1).map(({ atMs }, index) => atMs - (points[index]?.atMs ?? atMs));
  const usualMs = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)];
  if (usualMs === undefined) return points;
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (before === undefined || point.atMs - before.atMs <= 1.5 * usualMs) return [point];
    return [{ atMs: before.atMs + usualMs, value: null }, point];
  });
}
