import { SeededRandom } from '../test/house/seeded-random.ts';

const RESAMPLES = 10_000;
const SEED = 1;

/** What came of one document on one engine. */
export interface DocumentResult {
  readonly document: string;
  readonly set: 'easy' | 'hard';
  /** Null when the document was read. */
  readonly failure: string | null;
  /** False where the call itself failed or took too long: that says nothing about accuracy. */
  readonly answered: boolean;
  /** 1 where the document was not read. */
  readonly characterErrorRate: number;
  readonly wordErrorRate: number;
  /** What a caller is charged; null when the provider did not say what it used. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
  /** The model or program that answered, where it says so. */
  readonly version: string | null;
}

export interface Summary {
  readonly documents: number;
  readonly failures: number;
  /** Means of the documents' rates; null without documents. */
  readonly characterErrorRate: number | null;
  readonly wordErrorRate: number | null;
  /** Null where the cost of a document is not known. */
  readonly costUsd: number | null;
  readonly p50LatencyMs: number | null;
  readonly p95LatencyMs: number | null;
}

/** What ENGINES_FILE takes as an engine's `benchmark`. */
export interface BenchmarkEntry {
  readonly hard_score: number;
  readonly easy_score: number;
  readonly ci: readonly [number, number];
  readonly measured_at: string;
}

export function summarise(results: readonly DocumentResult[]): Summary {
  const costs = results.map(({ costUsd }) => costUsd);
  const total = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  return {
    documents: results.length,
    failures: results.filter(({ failure }) => failure !== null).length,
    characterErrorRate: rounded(mean(results.map((result) => result.characterErrorRate)), 4),
    wordErrorRate: rounded(mean(results.map((result) => result.wordErrorRate)), 4),
    costUsd: costs.includes(null) ? null : rounded(total, 9),
    p50LatencyMs: nearestRank(results, 0.5),
    p95LatencyMs: nearestRank(results, 0.95),
  };
}

/** The benchmark of an engine; null unless it has answered for every document, and for some of both sets. */
export function benchmarkOf(results: readonly DocumentResult[], measuredAt: string): BenchmarkEntry | null {
  const scores = (set: 'easy' | 'hard') => results.filter((result) => result.set === set).map(scoreOf);
  const [easy, hard] = [mean(scores('easy')), mean(scores('hard'))];
  if (easy === null || hard === null || results.some(({ answered }) => !answered)) return null;
  return {
    hard_score: rounded(hard, 1),
    easy_score: rounded(easy, 1),
    ci: confidenceInterval(scores('hard')),
    measured_at: measuredAt,
  };
}

/** The 95 % bootstrap interval of the mean; the same scores always give the same interval. */
export function confidenceInterval(scores: readonly number[]): [low: number, high: number] {
  const random = new SeededRandom(SEED);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let n = 0; n < scores.length; n++) sum += random.pick(scores);
    return sum / scores.length;
  }).sort((a, b) => a - b);
  const at = (share: number) => rounded(means[Math.round(share * (RESAMPLES - 1))] ?? Number.NaN, 1);
  return [at(0.025), at(0.975)];
}

/** 100 for a text without an error, 0 for one with as many errors as characters, or more. */
function scoreOf({ characterErrorRate }: DocumentResult): number {
  return 100 * (1 - Math.min(1, characterErrorRate));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function nearestRank(results: readonly DocumentResult[], share: number): number | null {
  const sorted = results.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function rounded(value: number, digits: number): number;
function rounded(value: number | null, digits: number): number | null;
function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
