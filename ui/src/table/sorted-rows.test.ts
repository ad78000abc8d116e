import { expect, it } from 'vitest';
import type { Column } from './column.ts';
import { sortedRows } from './sorted-rows.ts';

interface Row {
  readonly name: string;
  readonly figure: number | null;
}

const COLUMNS: ReadonlyArray<Column<Row>> = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name },
  { id: 'figure', header: 'Figure', cell: ({ figure }) => figure, sortBy: ({ figure }) => figure },
  { id: 'plain', header: 'Plain', cell: () => '' },
];
const ROWS: readonly Row[] = [
  { name: 'engine 10', figure: 2 },
  { name: 'engine 9', figure: null },
  { name: 'Engine 1', figure: 10 },
  { name: 'another', figure: 2 },
];

function order(column: string, descending = false): string[] {
  return sortedRows(ROWS, COLUMNS, { column, descending }).map(({ name }) => name);
}

it('leaves rows as they came where nothing is asked for', () => {
  expect(sortedRows(ROWS, COLUMNS, undefined)).toBe(ROWS);
  expect(sortedRows(ROWS, COLUMNS, { column: 'plain', descending: false })).toBe(ROWS);
});

it('sorts texts as people do, with their numbers as numbers', () => {
  expect(order('name')).toEqual(['another', 'Engine 1', 'engine 9', 'engine 10']);
  expect(order('name', true)).toEqual(['engine 10', 'engine 9', 'Engine 1', 'another']);
});

it('sorts figures, what has none last in both directions, equal ones as they came', () => {
  expect(order('figure')).toEqual(['engine 10', 'another', 'Engine 1', 'engine 9']);
  expect(order('figure', true)).toEqual(['Engine 1', 'engine 10', 'another', 'engine 9']);
});
