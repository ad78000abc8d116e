import { type BenchmarkEntry, benchmarkOf, type DocumentResult, type Summary, summarise } from './summary.ts';

/** Everything that was measured of one engine. */
export interface EngineReport {
  readonly engine: string;
  /** What answered, such as `tesseract 5.3.0`; null where it does not say. */
  readonly version: string | null;
  readonly easy: Summary;
  readonly hard: Summary;
  readonly all: Summary;
  /** Null unless it has answered for every document, and for some of both sets. */
  readonly benchmark: BenchmarkEntry | null;
  readonly documents: readonly DocumentResult[];
}

export function reportOf(engine: string, documents: readonly DocumentResult[], now: Date): EngineReport {
  return {
    engine,
    version: documents.find(({ version }) => version !== null)?.version ?? null,
    easy: summarise(documents.filter(({ set }) => set === 'easy')),
    hard: summarise(documents.filter(({ set }) => set === 'hard')),
    all: summarise(documents),
    benchmark: benchmarkOf(documents, now.toISOString().slice(0, 10)),
    documents,
  };
}

/** Prints every document, the sums, and what may be put into ENGINES_FILE. */
export function showReports(reports: readonly EngineReport[]): void {
  for (const { engine, version, documents, ...summaries } of reports) {
    console.log(`\n${engine} (${version ?? 'version unknown'})`);
    console.log(line('', ['CER %', 'WER %', 'USD', 'ms'], ''));
    for (const result of documents) {
      const figures = [percent(result.characterErrorRate), percent(result.wordErrorRate), usd(result.costUsd)];
      console.log(
        line(`${result.set}/${result.document}`, [...figures, String(result.latencyMs)], result.failure ?? ''),
      );
    }
    for (const set of ['easy', 'hard', 'all'] as const) {
      const { failures, characterErrorRate, wordErrorRate, costUsd, p50LatencyMs, p95LatencyMs } = summaries[set];
      const figures = [percent(characterErrorRate), percent(wordErrorRate), usd(costUsd), `${p50LatencyMs ?? '-'}`];
      console.log(line(set, figures, `p95 ${p95LatencyMs ?? '-'} ms, ${failures} failures`));
    }
  }
  const measured = reports.filter(({ benchmark }) => benchmark !== null);
  const engines = measured.map(({ engine, benchmark }) => ({ id: engine, benchmark }));
  if (engines.length === 0)
    console.log('\nno benchmark: it takes an answer for every document, and documents in easy/ and in hard/');
  else console.log(`\nfor ENGINES_FILE:\n${JSON.stringify({ engines }, null, 2)}`);
}

function line(name: string, figures: readonly string[], remark: string): string {
  return `  ${name.padEnd(26)}${figures.map((figure) => figure.padStart(9)).join('')}  ${remark}`.trimEnd();
}

function percent(rate: number | null): string {
  return rate === null ? '-' : (100 * rate).toFixed(2);
}

function usd(cost: number | null): string {
  return cost === null ? '?' : cost.toFixed(4);
}
