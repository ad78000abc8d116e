import { useMemo, useState } from 'react';
import type { Column, Sort } from './column.ts';
import { sortedRows } from './sorted-rows.ts';

/** The rows in the order that the header asks for; in the order they came in, as long as it asks for none. */
export function useSortedRows<Row>(rows: readonly Row[], columns: ReadonlyArray<Column<Row>>, initial?: Sort) {
  const [sort, setSort] = useState<Sort | undefined>(initial);
  const sorted = useMemo(() => sortedRows(rows, columns, sort), [rows, columns, sort]);
  return { rows: sorted, sort, toggleSort };

  /** Ascending, descending, and back to the order the rows came in. */
  function toggleSort(column: string): void {
    setSort((now) => {
      if (now?.column !== column) return { column, descending: false };
      return now.descending ? undefined : { column, descending: true };
    });
  }
}
