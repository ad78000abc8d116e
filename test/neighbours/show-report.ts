import type { Kind } from './neighbour.ts';
import type { TrialReport } from './trial.ts';

const MOST_TIMES = 3;
const MOST_LIVEZ_MS = 250;
/** Of what it was before, or has grown to without an attack. */
export const MOST_MEMORY = 1.2;
const HEADINGS = [
  'attack',
  'finding',
  'calls',
  'errors',
  'small p99',
  'times',
  'pdf p99',
  'large p99',
  '/livez',
  'memory',
  'bars',
];

/**
 * A table: what the neighbour felt of each attack, against its quiet time, with the bars that are missed. The first report is
 * of a trial without an attack.
 */
export function showReports(reports: readonly TrialReport[]): string {
  const grownMb = reports[0]?.memoryMb?.after ?? 0;
  const cells = [HEADINGS, ...reports.map((report) => cellsOf(report, grownMb))];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The bars that an attack has not kept to, each as one word. `grownMb`: the memory after a trial without an attack. */
export function missedBars(report: TrialReport, grownMb: number): string[] {
  const { during, memoryMb, survived } = report;
  return [
    ...(during.errors.length > 0 || !survived ? ['errors'] : []),
    ...(report.misses ? ['its aim'] : []),
    ...(times(report, 'small') > MOST_TIMES ? ['p99'] : []),
    ...(during.longestMs.livez > MOST_LIVEZ_MS ? ['/livez'] : []),
    ...(memoryMb && memoryMb.after > Math.max(memoryMb.before, grownMb) * MOST_MEMORY ? ['memory'] : []),
  ];
}

function times({ quiet, during }: TrialReport, kind: Kind): number {
  return during.p99Ms[kind] / quiet.p99Ms[kind];
}

function cellsOf(report: TrialReport, grownMb: number): string[] {
  const { attack, quiet, during, memoryMb } = report;
  const pair = (kind: Kind) => `${ms(quiet.p99Ms[kind])} → ${ms(during.p99Ms[kind])}`;
  const missed = missedBars(report, grownMb);
  return [
    attack.name,
    attack.finding,
    String(during.calls),
    String(during.errors.length),
    pair('small'),
    times(report, 'small').toFixed(1),
    pair('pdf'),
    pair('large'),
    ms(during.longestMs.livez),
    memoryMb
      ? `${mb(memoryMb.before)} → ${mb(memoryMb.peak)} → ${mb(memoryMb.after)} (${Math.round(memoryMb.afterSeconds)} s)`
      : 'unknown',
    missed.length === 0 ? 'reached' : `MISSED: ${missed.join(', ')}`,
  ];
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

function mb(value: number): string {
  return `${Math.round(value)} MB`;
}
