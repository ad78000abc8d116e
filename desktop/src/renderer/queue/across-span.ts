interface Point {
  readonly atMs: number;
  readonly value: number | null;
}

/** Samples with the ends of the time that they are of, so that a chart is as wide as that time, however few there are. */
export function acrossSpan(
  points: readonly Point[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly Point[] {
  const before = (points[0]?.atMs ?? toMs) > fromMs ? [{ atMs: fromMs, value: null }] : [];
  const after = (points.at(-1)?.atMs ?? fromMs) < toMs ? [{ atMs: toMs, value: null }] : [];
  return [...before, ...points, ...after];
}
