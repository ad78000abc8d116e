import { z } from 'zod';
import { gridOf } from '../../../documents/markdown/text-table.ts';
import { type LayoutTable, quadFromNumbers } from '../../model/page-layout.ts';
import { type SelectionMark, withSignsIn } from './selection-marks.ts';

const index = z.number().int().min(0);
const REGIONS = z
  .array(z.object({ pageNumber: z.number().int(), polygon: z.array(z.number()).nullish().catch(null) }))
  .nullish()
  .catch(null);
const CELL = z.object({
  kind: z.string().nullish().catch(null),
  rowIndex: index,
  columnIndex: index,
  rowSpan: index.nullish().catch(null),
  columnSpan: index.nullish().catch(null),
  content: z.string(),
  spans: z
    .array(z.object({ offset: index, length: index }))
    .nullish()
    .catch(null),
});
const TABLE = z.object({ rowCount: index, columnCount: index, cells: z.array(CELL), boundingRegions: REGIONS });
const TABLES = z.object({ analyzeResult: z.object({ tables: z.array(z.unknown()) }) });

const HEADERS = new Set(['columnHeader', 'rowHeader', 'stubHead']);

/** The tables of an analysis by the page on which they begin; `prebuilt-layout` gives them, `prebuilt-read` does not. */
export function tablesOf(json: unknown, marks: readonly SelectionMark[]): ReadonlyMap<number, LayoutTable[]> {
  const pages = new Map<number, LayoutTable[]>();
  for (const raw of TABLES.safeParse(json).data?.analyzeResult.tables ?? []) {
    const table = TABLE.safeParse(raw).data;
    const [region, ...others] = table?.boundingRegions ?? [];
    if (!table || !region) continue;
    const grid = gridOf({
      rows: table.rowCount,
      columns: table.columnCount,
      cells: table.cells.map((cell) => cellOf(cell, marks)),
    });
    if (!grid) continue;
    // A table that goes on over the page's end has no box on one page.
    const box = others.length === 0 ? quadFromNumbers(region.polygon ?? []) : null;
    pages.set(region.pageNumber, [...(pages.get(region.pageNumber) ?? []), { ...grid, box }]);
  }
  return pages;
}

function cellOf(cell: z.infer<typeof CELL>, marks: readonly SelectionMark[]) {
  const { kind, rowIndex, columnIndex, rowSpan, columnSpan, content, spans } = cell;
  return {
    row: rowIndex + 1,
    column: columnIndex + 1,
    rowSpan: rowSpan ?? 1,
    columnSpan: columnSpan ?? 1,
    text: withSignsIn(content, spans, marks),
    header: HEADERS.has(kind ?? ''),
  };
}
