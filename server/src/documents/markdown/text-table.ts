/** A cell of a table; rows and columns are counted from 1. */
export interface TableCell {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  /** The plain text, its lines divided by line feeds. */
  readonly text: string;
  readonly header: boolean;
}

/** A table that was read, with its cells in reading order. */
export interface TableGrid {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly TableCell[];
}

/** Most cells of a table, more than any page holds: what an engine answers is bounded. */
const MOST_CELLS = 20_000;
/** Most places of a table (rows times columns), with empty ones. */
const MOST_PLACES = 200_000;
export const MOST_COLUMNS = 1000;

/** Keeps the cells within a table, and cuts spans off at its edges; null where there are none, or too many. */
export function gridOf({ rows, columns, cells }: TableGrid): TableGrid | null {
  const isCount = (value: number, most: number) => Number.isInteger(value) && value > 0 && value <= most;
  if (!isCount(rows, MOST_CELLS) || !isCount(columns, MOST_COLUMNS)) return null;
  if (rows * columns > MOST_PLACES) return null;
  const inside = cells
    .filter(({ row, column }) => isCount(row, rows) && isCount(column, columns))
    .map((cell) => ({
      ...cell,
      rowSpan: within(cell.rowSpan, rows - cell.row + 1),
      columnSpan: within(cell.columnSpan, columns - cell.column + 1),
    }));
  return inside.length > 0 && inside.length <= MOST_CELLS ? { rows, columns, cells: inside } : null;
}

function within(span: number, most: number): number {
  return Number.isInteger(span) ? Math.min(most, Math.max(1, span)) : 1;
}
