import { z } from 'zod';
import { gridOf } from '../../../documents/markdown/text-table.ts';
import type { EngineSettings } from '../../model/engine.ts';
import { type LayoutLine, type LayoutTable, type PageLayout, type Quad, quadOf } from '../../model/page-layout.ts';

const number = z.number();
const BOX = z.object({ l: number, t: number, r: number, b: number, coord_origin: z.string().nullish().catch(null) });
type Box = z.infer<typeof BOX>;
const PROV = z.array(z.object({ page_no: number, bbox: BOX })).catch([]);
const REFS = z.array(z.object({ $ref: z.string() })).catch([]);
const CELL = z.object({
  bbox: BOX.nullish().catch(null),
  start_row_offset_idx: number,
  start_col_offset_idx: number,
  row_span: number.catch(1),
  col_span: number.catch(1),
  text: z.string(),
  column_header: z.boolean().catch(false),
  row_header: z.boolean().catch(false),
});
const ITEM = z.object({
  text: z.string().optional(),
  prov: PROV,
  children: REFS,
  data: z
    .object({ num_rows: number, num_cols: number, table_cells: z.array(CELL) })
    .optional()
    .catch(undefined),
});
type Item = z.infer<typeof ITEM>;
const PAGE = z.object({ page_no: number, size: z.object({ width: number, height: number }) });
const items = z.array(z.unknown()).catch([]);
const DOCUMENT = z.object({
  pages: z.record(z.string(), PAGE),
  body: z.object({ children: REFS }),
  texts: items,
  tables: items,
  groups: items,
});
type Document = z.infer<typeof DOCUMENT>;

/** Most items of a page, far more than any has. */
const MOST_ITEMS = 20_000;

/**
 * The layout of docling's document of one page: its paragraphs and the cells of its tables in reading order, which is that of its
 * body. Texts in pictures, and texts that repeat on every page (the furniture), are not in its Markdown either.
 */
export function doclingLayout(
  json: unknown,
  { positions, tables }: Pick<EngineSettings, 'positions' | 'tables'>,
): PageLayout | null {
  const document = DOCUMENT.safeParse(json).data;
  const [page] = Object.values(document?.pages ?? {});
  if (!document || !page) return null;
  const { width, height } = page.size;
  const found = inReadingOrder(document).filter(({ prov }) => prov.some(({ page_no }) => page_no === page.page_no));
  const grids = found.flatMap((item) => tableOf(item, height) ?? []);
  const more = tables && grids.length > 0 ? { tables: grids } : {};
  if (!positions) return { width, height, granularity: 'none', lines: [], ...more };
  return {
    width,
    height,
    granularity: 'block',
    lines: found.flatMap((item, at) => linesOf(item, at + 1, height)),
    ...more,
  };
}

/** The items that the body leads to, each once, in reading order. */
function inReadingOrder(document: Document): Item[] {
  const found: Item[] = [];
  const seen = new Set<string>();
  const waiting = document.body.children.map(({ $ref }) => $ref).reverse();
  for (let ref = waiting.pop(); ref !== undefined && seen.size < MOST_ITEMS; ref = waiting.pop()) {
    if (seen.has(ref)) continue;
    seen.add(ref);
    const item = itemAt(document, ref);
    if (!item) continue;
    found.push(item);
    for (const { $ref } of item.children.toReversed()) waiting.push($ref); // too many for the arguments of one call
  }
  return found;
}

function itemAt(document: Document, ref: string): Item | null {
  const [, list = '', index = ''] = /^#\/(texts|tables|groups)\/(\d+)$/.exec(ref) ?? [];
  if (list === '') return null; // a picture, or something that this does not know
  return ITEM.safeParse(document[list as 'texts' | 'tables' | 'groups'][Number(index)]).data ?? null;
}

function linesOf({ text, prov, data }: Item, block: number, height: number): LayoutLine[] {
  const line = (words: string, box: Box) => ({
    text: words,
    box: quad(box, height),
    confidence: null,
    block,
    words: [],
  });
  const [place] = prov;
  if (text?.trim() && place) return [line(text, place.bbox)];
  const cells = data?.table_cells ?? [];
  return cells.flatMap((cell) => (cell.bbox && cell.text.trim() !== '' ? [line(cell.text, cell.bbox)] : []));
}

function tableOf({ data, prov }: Item, height: number): LayoutTable | null {
  if (!data) return null;
  const cells = data.table_cells.map((cell) => ({
    row: cell.start_row_offset_idx + 1,
    column: cell.start_col_offset_idx + 1,
    rowSpan: cell.row_span,
    columnSpan: cell.col_span,
    text: cell.text,
    header: cell.column_header || cell.row_header,
  }));
  const grid = gridOf({ rows: data.num_rows, columns: data.num_cols, cells });
  const [place, ...others] = prov;
  return grid && { ...grid, box: place && others.length === 0 ? quad(place.bbox, height) : null };
}

/** The box as a quad from the top left: docling counts from the top or from the bottom of the page, and says which. */
function quad({ l, t, r, b, coord_origin: origin }: Box, height: number): Quad {
  const [top, bottom] = origin === 'BOTTOMLEFT' ? [height - t, height - b] : [t, b];
  return quadOf({ left: l, top: Math.min(top, bottom), width: r - l, height: Math.abs(bottom - top) });
}
