/** Equal to a figure that is rounded: by at most this share of it, and this much. Null is null. */
export function near(exact: number | null, { share = 0, by = 0 }: { share?: number; by?: number }): unknown {
  if (exact === null) return null;
  const margin = Math.abs(exact) * share + by;
  return {
    asymmetricMatch: (seen: unknown) => typeof seen === 'number' && Math.abs(seen - exact) <= margin,
    toString: () => `${exact} ± ${margin}`,
  };
}

/** Between two figures that are rounded. */
export function between([least, most]: readonly [number | null, number | null], by: number): unknown {
  if (least === null || most === null) return null;
  return {
    asymmetricMatch: (seen: unknown) => typeof seen === 'number' && seen >= least - by && seen <= most + by,
    toString: () => `${least} to ${most} ± ${by}`,
  };
}

/** Latencies are counted in steps of 2 %, from whole milliseconds, and shown with one digit. */
const nearMs = (exact: number | null) => near(exact, { share: 0.01, by: 1.1 });

type Percentiles = Readonly<Record<'p50Ms' | 'p95Ms' | 'p99Ms', number | null>>;

export function withNearMs<T extends Percentiles>(fact: T) {
  return { ...fact, p50Ms: nearMs(fact.p50Ms), p95Ms: nearMs(fact.p95Ms), p99Ms: nearMs(fact.p99Ms) };
}
