import { setImmediate as turn } from 'node:timers/promises';
import { storableJson } from '../../database/storable.ts';
import { OcrPage } from '../model/ocr-page.ts';

/** Written in some milliseconds. */
const CHARACTERS_AT_ONCE = 1024 * 1024;

/** What the statement that ends requests has more where one of them asks for its pages. */
export interface LayoutSql {
  readonly columns: string;
  readonly picked: string;
  readonly rows: string;
  readonly passed: string;
}

/**
 * The rows of pages' layouts stand under the same condition as their texts. The lines of all of them come as a parameter of
 * their own, one JSON text a line: within the items they would be parsed three times, which took two thirds of the statement.
 */
export const WITH_LAYOUTS: LayoutSql = {
  columns: ', layouts json, lines_before int, passing_pages json',
  picked: ', i.layouts, i.lines_before, i.passing_pages',
  rows: `
  page_lines as materialized (
    select p.lines, p.number from unnest(string_to_array($2::text, chr(10))) with ordinality p(lines, number)
  ),
  layout_rows as (
    insert into page_layout (request_id, number, width, height, unit, dpi, text_angle, positions, located_by, lines,
      tables)
    select d.id, l.number, l.width, l.height, l.unit, l.dpi, l.text_angle, l.positions, l.located_by,
      p.lines::json, l.tables
    from done d cross join lateral json_to_recordset(d.layouts) as l(
      number int, width real, height real, unit text, dpi real, text_angle smallint, positions text, located_by text,
      line_number int, tables json)
    left join page_lines p on p.number = d.lines_before + l.line_number
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
  /** Of its pages, each as JSON, which has no line break. */
  readonly lines: readonly string[];
  /** Of all that, in characters. */
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
 * The layouts of pages as the statement takes them, and their lines, each as JSON; nothing where there are none. Long lists of
 * lines are written with turns for others in between.
 */
export async function packedLayouts(
  pages: readonly OcrPage[],
): Promise<{ rows: { layouts?: object[] }; lines: string[] }> {
  const texts: string[] = [];
  const layouts: object[] = [];
  let unseen = 0;
  for (const { number, layout } of pages) {
    if (!layout) continue;
    const { textAngle, locatedBy, lines, ...same } = layout;
    const text = lines && storableJson(JSON.stringify(lines));
    const lineNumber = text === null ? null : texts.push(text);
    layouts.push({ number, ...same, text_angle: textAngle, located_by: locatedBy, line_number: lineNumber });
    unseen += text?.length ?? 0;
    if (unseen < CHARACTERS_AT_ONCE) continue;
    unseen = 0;
    await turn();
  }
  return { rows: layouts.length > 0 ? { layouts } : {}, lines: texts };
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

/** What the statement takes, of several requests; with layouts each one says how many pages with lines stand before its own. */
export function settlementValues(items: readonly PackedItem[], withLayouts: boolean): string[] {
  let before = 0;
  const all = items.map(({ json, lines }, n) => {
    const place = withLayouts ? `"n":${n},"lines_before":${before}` : `"n":${n}`;
    before += lines.length;
    return `{${place},${json.slice(1)}`;
  });
  const values = [`[${all.join()}]`];
  return withLayouts ? [...values, items.flatMap(({ lines }) => lines).join('\n')] : values;
}
