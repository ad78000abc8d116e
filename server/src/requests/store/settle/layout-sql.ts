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

/** For requests that do not ask for their pages. */
export const WITHOUT_LAYOUTS: LayoutSql = {
  columns: '',
  picked: '',
  rows: '',
  passed:
    'insert into passing_text (request_id, text) select d.id, d.passing from done d where d.passing is not null and not d.history',
};
