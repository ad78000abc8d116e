const FEWEST_CALLS = 20;

/** Calls one after the other for so many seconds, each of which checks its answer; the median. */
export async function medianMs(seconds: number, call: () => Promise<void>): Promise<number> {
  const latencies: number[] = [];
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end || latencies.length < FEWEST_CALLS) {
    const begun = performance.now();
    await call();
    latencies.push(performance.now() - begun);
  }
  return latencies.sort((a, b) => a - b)[latencies.length >> 1] ?? Number.NaN;
}
