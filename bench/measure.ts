/** One measured thing beside its anchor. */
export interface Row {
  readonly what: string;
  readonly ours: number;
  readonly anchor: number;
  readonly unit: string;
  /** Whether more is better (requests a second) or less (memory, milliseconds). */
  readonly better: 'more' | 'less';
  /** What the ratio ours / anchor should reach; null for information. */
  readonly bar: number | null;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/** Measures both sides in turn, several rounds in one run: the machine's moods meet both. */
export async function interleaved(
  rounds: number,
  ours: () => Promise<number>,
  anchor: () => Promise<number>,
): Promise<{ ours: number; anchor: number }> {
  const figures: { ours: number[]; anchor: number[] } = { ours: [], anchor: [] };
  for (let round = 0; round < rounds; round++) {
    figures.anchor.push(await anchor());
    figures.ours.push(await ours());
  }
  return { ours: median(figures.ours), anchor: median(figures.anchor) };
}

export function show(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  for (const { what, ours, anchor, unit, better, bar } of rows) {
    const ratio = ours / anchor;
    const reached = bar === null ? '' : (better === 'more' ? ratio >= bar : ratio <= bar) ? 'reached' : 'NOT reached';
    const aim = bar === null ? '' : `bar ${better === 'more' ? '≥' : '≤'} ${bar} ${reached}`;
    const figures = `${figure(ours)} against ${figure(anchor)} ${unit}`;
    console.log(`  ${what.padEnd(34)} ${figures.padEnd(36)} ratio ${ratio.toFixed(2)}  ${aim}`);
  }
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
