import type { ReactNode } from 'react';

/** One column of a `DataTable`. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** What the header does not say, under the pointer. */
  readonly hint?: string;
  /** Columns without a width share what is left. */
  readonly widthPx?: number;
  /** What a column without a width has at least; in a narrower place the table scrolls sideways. */
  readonly leastPx?: number;
  readonly align?: 'left' | 'right';
  readonly cell: (row: Row) => ReactNode;
  /** What the column sorts by; without it, it does not sort. Null comes last. */
  readonly sortBy?: (row: Row) => number | string | null;
  /** Whether the source of the rows sorts by it: for tables with `onSort`. */
  readonly sortable?: boolean;
}

/** Which column orders the rows. */
export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}
