import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import type { Column, Sort } from './column.ts';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

const NO_ROWS: readonly never[] = [];

/** The rows in the order that the header asks for; in the order they came in, as long as it asks for none. */
export function useSortedRows<Row extends object>(
  rows: readonly Row[],
  columns: ReadonlyArray<Column<Row>>,
  initial?: Sort,
) {
  const [sort, setSort] = useState<Sort | undefined>(initial);
  const definitions = useMemo(() => columns.map((column) => definitionOf(column)), [columns]);
  const sorting = useMemo(() => (sort ? [{ id: sort.column, desc: sort.descending }] : []), [sort]);
  // Unsorted rows pass by the row model, which would make an object of each of them at every change of a live feed.
  const data = sort ? rows : NO_ROWS;
  const table = useTable({ features, columns: definitions, data: data as Row[], state: { sorting } });
  const model = table.getRowModel();
  const sorted = useMemo(() => model.rows.map((row) => row.original), [model]);
  return { rows: sort ? sorted : rows, sort, toggleSort };

  /** Ascending, descending, and back to the order the rows came in. */
  function toggleSort(column: string): void {
    setSort((now) => {
      if (now?.column !== column) return { column, descending: false };
      return now.descending ? undefined : { column, descending: true };
    });
  }
}

function definitionOf<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  const { id, sortBy } = column;
  if (!sortBy) return { id, enableSorting: false };
  return { id, accessorFn: (row) => sortBy(row) ?? undefined, sortFn: 'alphanumeric', sortUndefined: 'last' };
}
