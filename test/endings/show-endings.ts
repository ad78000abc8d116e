import type { MeasuredEnding } from './measure.ts';
import { PRICES, type Price } from './prices.ts';

const NAMES = Object.keys(PRICES) as Price[]; // the keys of a record of them

/** Markdown: a row for each adapter and ending; the last columns say what it costs at each price, and its billing. */
export function showEndings(measured: readonly MeasuredEnding[]): string {
  const head = ['Adapter', 'Ending', 'HTTP', 'Status or code', 'Attempt', ...NAMES];
  const rows = Object.values(Object.groupBy(measured, ({ adapter, ending }) => `${adapter} ${ending}`));
  return [head, head.map(() => '---'), ...rows.map((same) => rowOf(same ?? []))].map(lineOf).join('\n');
}

function rowOf(same: readonly MeasuredEnding[]): string[] {
  const only = (value: (one: MeasuredEnding) => string | number) => [...new Set(same.map(value))].join(' / ');
  return [
    only(({ adapter, isLocal }) => (isLocal ? `${adapter} (local)` : adapter)),
    only(({ ending }) => ending),
    only(({ httpStatus }) => httpStatus),
    only(({ outcome }) => `\`${outcome}\``),
    only(({ attempt }) => `\`${attempt}\``),
    ...NAMES.map((price) => costOf(same.find((one) => one.price === price))),
  ];
}

function costOf(one: MeasuredEnding | undefined): string {
  return one ? `${one.debitedUsd} ${one.billing}` : '–';
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
