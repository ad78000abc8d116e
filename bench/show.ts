import { hasReached, type Row } from './measure.ts';

const HEADINGS = ['', 'ours', 'anchor', '', 'ratio', 'of the rounds', 'bar'];

/** Prints rows as a table under a title. */
export function show(title: string, rows: readonly Row[]): void {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const line of cells) {
    console.log(`  ${line.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  ')}`.trimEnd());
  }
}

function cellsOf(row: Row): string[] {
  const { what, ours, anchor, unit, ratio, ratios, better, bar } = row;
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const goal = bar === null ? '' : `${better === 'more' ? '≥' : '≤'} ${bar} ${hasReached(row) ? 'reached' : 'MISSED'}`;
  return [what, figure(ours), figure(anchor), unit, ratio.toFixed(2), spread, goal];
}

/** Numbers stand to the right, words to the left. */
function pad(cell: string, width: number, column: number): string {
  return [1, 2, 4].includes(column) ? cell.padStart(width) : cell.padEnd(width);
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
