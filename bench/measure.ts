/** The same measurement on both sides, in one round. */
export interface Pair<Measured> {
  readonly ours: Measured;
  readonly anchor: Measured;
}

interface Subject {
  readonly what: string;
  readonly unit: string;
  /** Whether more is better (requests a second) or less (memory, milliseconds). */
  readonly better: 'more' | 'less';
  /** What the ratio ours / anchor should reach; null for information. */
  readonly bar: number | null;
}

/** One measured thing beside its anchor: medians of the rounds, and the ratio of each round. */
export interface Row extends Subject {
  readonly ours: number;
  readonly anchor: number;
  readonly ratio: number;
  readonly ratios: readonly number[];
}

/** Measures both sides in turn, several rounds in one run, so that the machine's moods meet both. */
export async function interleave<Measured>(
  rounds: number,
  ours: () => Promise<Measured>,
  anchor: () => Promise<Measured>,
): Promise<Pair<Measured>[]> {
  const pairs: Pair<Measured>[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await anchor();
      pairs.push({ anchor: first, ours: await ours() });
    } else {
      const first = await ours();
      pairs.push({ ours: first, anchor: await anchor() });
    }
  }
  return pairs;
}

export function compare<Measured>(
  subject: Subject,
  pairs: readonly Pair<Measured>[],
  pick: (measured: Measured) => number,
): Row {
  const ours = median(pairs.map((pair) => pick(pair.ours)));
  const anchor = median(pairs.map((pair) => pick(pair.anchor)));
  const ratios = pairs.map((pair) => pick(pair.ours) / pick(pair.anchor));
  return { ...subject, ours, anchor, ratio: ours / anchor, ratios };
}

/** What was measured beside a limit. */
export function beside(values: readonly number[], limit: number): Pair<number>[] {
  return values.map((ours) => ({ ours, anchor: limit }));
}

/** NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

export function hasReached({ ratio, better, bar }: Row): boolean {
  return bar === null || (better === 'more' ? ratio >= bar : ratio <= bar);
}
