import { type JsonLayout, jsonOfLayout, layoutOfJson } from '../layout/stored-layout.ts';
import { OcrPage } from '../model/ocr-page.ts';

/** What the statement that ends requests has more where one of them asks for its pages. */
export interface LayoutSql {
  readonly columns: string;
  readonly picked: string;
  readonly rows: string;
  readonly passed: string;
}

/**
 * The rows of pages' layouts stand under the same condition as their texts. The lines of all of them come as a parameter of
 * their own, one behind the other: within the items they would be parsed three times.
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

/** All that is written of a request, as the statement takes it. */
export interface PackedItem {
  /** Without its place in the batch. */
  readonly json: string;
  /** Of its pages, one behind the other. */
  readonly lines: Buffer;
  /** Of all that, in characters and bytes. */
  readonly length: number;
}

/** A statement without all that: what requests without pages are ended by. */
export const WITHOUT_LAYOUTS: LayoutSql = {
  columns: '',
  picked: '',
  rows: '',
  passed:
    'insert into passing_text (request_id, text) select d.id, d.passing from done d where d.passing is not null and not d.history',
};

/**
 * The layouts of pages as the statement takes them, and the bytes of their lines, in which each of them knows its place; nothing
 * where there are none.
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

/** A page as `passingPages` has it, as JSON. */
export type PassedPage = Record<string, unknown> & { readonly cost: string; readonly layout?: JsonLayout | null };

/** The pages as they were. */
export function passedPages(pages: readonly PassedPage[]): OcrPage[] {
  return pages.map(({ layout, cost, ...page }) =>
    Object.assign(new OcrPage(), page, { cost: BigInt(cost), layout: layout ? layoutOfJson(layout) : null }),
  );
}

/** What the statement takes, of several requests; with layouts each one says how many bytes of lines stand before its own. */
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
