import { OcrPage } from '../model/ocr-page.ts';

/** What the statement that ends requests has more where one of them asks for its pages. */
export interface LayoutSql {
  readonly columns: string;
  readonly picked: string;
  readonly rows: string;
  readonly passed: string;
}

/** The rows of pages' layouts stand under the same condition as their texts. */
export const WITH_LAYOUTS: LayoutSql = {
  columns: ', layouts json, passing_pages json',
  picked: ', i.layouts, i.passing_pages',
  rows: `
  layout_rows as (
    insert into page_layout (request_id, number, width, height, unit, dpi, text_angle, positions, located_by, lines,
      tables)
    select d.id, l.number, l.width, l.height, l.unit, l.dpi, l.text_angle, l.positions, l.located_by, l.lines,
      l.tables
    from done d cross join lateral json_to_recordset(d.layouts) as l(
      number int, width real, height real, unit text, dpi real, text_angle smallint, positions text, located_by text,
      lines json, tables json)
    where d.history
  ),`,
  passed: `
    insert into passing_text (request_id, text, pages) select d.id, coalesce(d.passing, ''), d.passing_pages from done d
    where (d.passing is not null or d.passing_pages is not null) and not d.history`,
};

/** A statement without all that: what requests without pages are ended by. */
export const WITHOUT_LAYOUTS: LayoutSql = {
  columns: '',
  picked: '',
  rows: '',
  passed:
    'insert into passing_text (request_id, text) select d.id, d.passing from done d where d.passing is not null and not d.history',
};

/** The layouts of pages as the statement takes them; nothing where there are none. */
export function packedLayouts(pages: readonly OcrPage[]): { layouts?: object[] } {
  const rows = pages.flatMap(({ number, layout }) => {
    if (!layout) return [];
    const { textAngle, locatedBy, ...same } = layout;
    return [{ number, ...same, text_angle: textAngle, located_by: locatedBy }];
  });
  return rows.length > 0 ? { layouts: rows } : {};
}

/** Whether an item needs the statement that takes layouts. */
export function hasLayouts({ layouts, passing_pages: pages }: Record<string, unknown>): boolean {
  return layouts !== undefined || pages !== undefined;
}

/** Pages with their texts and layouts, for a caller who waits in another process while nothing is retained. */
export function passingPages(pages: readonly OcrPage[]): object[] {
  return pages.map((page) => ({ ...page, cost: String(page.cost) }));
}

/** The pages as they were. */
export function passedPages(pages: readonly Record<string, unknown>[]): OcrPage[] {
  return pages.map((page) => Object.assign(new OcrPage(), page, { cost: BigInt(String(page['cost'])) }));
}
