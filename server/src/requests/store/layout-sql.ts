import { type JsonLayout, jsonOfLayout, layoutOfJson } from '../layout/stored-layout.ts';
import { OcrPage } from '../model/ocr-page.ts';

/** The parts of the settlement's statement that store layouts of pages. */
export interface LayoutSql {
  readonly columns: string;
  readonly picked: string;
  readonly rows: string;
  readonly passed: string;
}

/**
 * For requests that ask for their pages. Layouts are kept under the same condition as texts. The lines of all pages come in one
 * buffer of their own ($2): as a part of the items' JSON they would be parsed three times.
 */
export const WITH_LAYOUTS: LayoutSql = {
  columns: ', layouts json, bytes_before int, passing_pages json',
  picked: ', i.layouts, i.bytes_before, i.passing_pages',
  rows: `
  layout_rows as (
    insert into page_layout (request_id, number, width, height, unit, dpi, text_angle, positions, located_by, line_bytes,
      tables)
    select d.id, l.number, l.width, l.height, l.unit, l.dpi, l.text_angle, l.positions, l.located_by,
      substring($2::bytea from d.bytes_before + l.bytes_at + 1 for l.byte_count), l.tables
    from done d cross join lateral json_to_recordset(d.layouts) as l(
      number int, width real, height real, unit text, dpi real, text_angle smallint, positions text, located_by text,
      bytes_at int, byte_count int, tables json)
    where d.history
  ),`,
  passed: `
    insert into passing_text (request_id, text, pages) select d.id, coalesce(d.passing, ''), d.passing_pages from done d
    where (d.passing is not null or d.passing_pages is not null) and not d.history`,
};

/** An item of the settlement's statement: everything that is written of one request. */
export interface PackedItem {
  /** A JSON object, still without `n` and `bytes_before`. */
  readonly json: string;
  /** The bytes of its pages' lines, one page after the other. */
  readonly lines: Buffer;
  /** The size of both, in characters and bytes. */
  readonly length: number;
}

/** For requests that do not ask for their pages. */
export const WITHOUT_LAYOUTS: LayoutSql = {
  columns: '',
  picked: '',
  rows: '',
  passed:
    'insert into passing_text (request_id, text) select d.id, d.passing from done d where d.passing is not null and not d.history',
};

/**
 * The layouts of pages as the statement takes them, and the bytes of their lines, in which each layout has an offset and a length.
 * `rows` is empty where there are no layouts.
 */
export function packedLayouts(pages: readonly OcrPage[]): { rows: { layouts?: object[] }; lines: Buffer } {
  const written: Buffer[] = [];
  const layouts: object[] = [];
  let at = 0;
  for (const { number, layout } of pages) {
    if (!layout) continue;
    const { textAngle, locatedBy, lines, ...same } = layout;
    const bytes = lines?.bytes;
    const place = bytes && { bytes_at: at, byte_count: bytes.length };
    layouts.push({ number, ...same, text_angle: textAngle, located_by: locatedBy, ...place });
    if (!bytes) continue;
    written.push(bytes);
    at += bytes.length;
  }
  return { rows: layouts.length > 0 ? { layouts } : {}, lines: Buffer.concat(written) };
}

/** Whether an item needs the statement that takes layouts. */
export function hasLayouts({ layouts, passing_pages: pages }: Record<string, unknown>): boolean {
  return layouts !== undefined || pages !== undefined;
}

/** Pages with their texts and layouts, for a caller who waits in another process while nothing is retained. */
export function passingPages(pages: readonly OcrPage[]): object[] {
  return pages.map((page) => {
    return { ...page, cost: String(page.cost), layout: page.layout && jsonOfLayout(page.layout) };
  });
}

/** A page of `passingPages`, read back from JSON. */
export type PassedPage = Record<string, unknown> & { readonly cost: string; readonly layout?: JsonLayout | null };

/** The pages that `passingPages` has written. */
export function passedPages(pages: readonly PassedPage[]): OcrPage[] {
  return pages.map(({ layout, cost, ...page }) =>
    Object.assign(new OcrPage(), page, { cost: BigInt(cost), layout: layout ? layoutOfJson(layout) : null }),
  );
}

/** The parameters of the settlement's statement. With layouts each item has the number of bytes before its own lines. */
export function settlementValues(items: readonly PackedItem[], withLayouts: boolean): (string | Buffer)[] {
  let before = 0;
  const all = items.map(({ json, lines }, n) => {
    const place = withLayouts ? `"n":${n},"bytes_before":${before}` : `"n":${n}`;
    before += lines.length;
    return `{${place},${json.slice(1)}`;
  });
  const values = [`[${all.join()}]`];
  return withLayouts ? [...values, Buffer.concat(items.map(({ lines }) => lines))] : values;
}
