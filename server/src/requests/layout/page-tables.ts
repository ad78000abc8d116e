import { lookThrough } from '../../documents/markdown/long-texts.ts';
import type { TableCell } from '../../documents/markdown/text-table.ts';
import type { PackedTable } from './stored-layout.ts';
import { unpackQuad } from './unpack-lines.ts';

/** A table of a page, as callers get it. */
export interface PageTable {
  /** Number on the page, from 1. */
  readonly index: number;
  /** From and to in the page's text, in code points, where it stands there as a table. */
  readonly span?: readonly [from: number, to: number];
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly PageTableCell[];
  /** In fractions of the page, where the engine tells it. */
  readonly polygon?: readonly number[];
}

interface PageTableCell {
  readonly row: number;
  readonly column: number;
  readonly row_span: number;
  readonly column_span: number;
  readonly text: string;
  readonly header: boolean;
}

/** The tables of a page: those that its engine told apart, else those that stand in its text. Long ones are read a party's one after the other. */
export async function pageTables(
  text: string | null,
  told: readonly PackedTable[] | null | undefined,
  party: string,
): Promise<PageTable[]> {
  const written = await lookThrough('tables', text ?? '', party);
  if (!told?.length) {
    return written.map(({ span, rows, columns, cells }, at) => {
      return { index: at + 1, span, rows, columns, cells: cells.map(pageCell) };
    });
  }
  // The same number of tables are the same tables, in the order in which they are read.
  const spans = written.length === told.length ? written.map(({ span }) => span) : [];
  return told.map(([rows, columns, polygon, cells], at) => {
    const span = spans[at];
    const known = cells.map(([row, column, rowSpan, columnSpan, inside, header]) => {
      return pageCell({ row, column, rowSpan, columnSpan, text: inside, header: header === 1 });
    });
    const place = polygon && { polygon: unpackQuad(polygon) };
    return { index: at + 1, ...(span && { span }), rows, columns, cells: known, ...place };
  });
}

function pageCell({ row, column, rowSpan, columnSpan, text, header }: TableCell): PageTableCell {
  return { row, column, row_span: rowSpan, column_span: columnSpan, text, header };
}
