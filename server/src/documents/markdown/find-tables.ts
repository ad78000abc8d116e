import { lineKinds } from './code-fences.ts';
import { parseHtmlTable } from './html-table.ts';
import { type PipeTable, parsePipeTable, plainCell } from './pipe-table.ts';
import { withoutQuoteMarks } from './quote-marks.ts';
import { splitLines } from './split-lines.ts';
import { gridOf, type TableGrid } from './text-table.ts';

/** A table and where it stands in the text: from and to, in code points. */
export interface FoundTable extends TableGrid {
  readonly span: readonly [from: number, to: number];
}

/** The same in UTF-16 units, as JavaScript counts. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** Of a page. */
const MOST_TABLES = 200;
/** A table of HTML that is longer is left out. */
const MOST_HTML = 1_000_000;
const TABLE_TAG = /<(\/?)table(?=[\s>/])/gi;

/** The tables of a text in Markdown, pipe tables and such of HTML, in their order; none that stand in code. */
export function findTables(text: string): FoundTable[] {
  const hasPipes = text.includes('|');
  if (!hasPipes && !/<table/i.test(text)) return [];
  const lines = splitLines(text);
  const kinds = lineKinds(lines.map((line) => line.text));
  const places = placesOf(lines);
  const prose = lines.map(({ text: line, ending }, i) => (kinds[i] === 'text' ? line : blank(line)) + ending).join('');
  const html = htmlTables(prose);
  const isTaken = ({ from, to }: Place) => html.some((table) => from < table.to && table.from < to);
  const texts = withoutQuoteMarks(lines.map((line, i) => (kinds[i] === 'text' ? line.text : null)));
  const pipes: (Place & TableGrid)[] = [];
  for (let i = 0; hasPipes && i < lines.length && pipes.length < MOST_TABLES; i += 1) {
    const table = texts[i]?.includes('|') ? parsePipeTable(texts, i) : null;
    const grid = table && pipeGrid(table);
    if (!table) continue;
    const place = { from: places[i]?.from ?? 0, to: places[i + table.length - 1]?.to ?? 0 };
    if (grid && !isTaken(place)) pipes.push({ ...grid, ...place });
    i += table.length - 1;
  }
  const found = [...html, ...pipes].sort((a, b) => a.from - b.from).slice(0, MOST_TABLES);
  return inCodePoints(text, found);
}

function pipeGrid({ header, body }: PipeTable): TableGrid | null {
  const rows = header ? [header, ...body] : body;
  const cells = rows.flatMap((row, index) =>
    row.map((cell, at) => ({
      ...{ row: index + 1, column: at + 1, rowSpan: 1, columnSpan: 1 },
      text: plainCell(cell, '\n').replace(/[ \t]*\n[ \t]*/g, '\n'),
      header: header !== null && index === 0,
    })),
  );
  return gridOf({ rows: rows.length, columns: Math.max(0, ...rows.map((row) => row.length)), cells });
}

/** Outermost ones; one that never ends is text, and so is what stands behind it. */
function htmlTables(text: string): (Place & TableGrid)[] {
  const found: (Place & TableGrid)[] = [];
  const tags = new RegExp(TABLE_TAG);
  let depth = 0;
  let from = 0;
  for (let match = tags.exec(text); match && found.length < MOST_TABLES; match = tags.exec(text)) {
    const closes = match[1] === '/';
    if (!closes && depth++ === 0) from = match.index;
    if (!closes || depth === 0 || --depth > 0) continue;
    const end = text.indexOf('>', match.index);
    if (end < 0) break;
    const grid = end - from < MOST_HTML ? parseHtmlTable(text.slice(from, end + 1)) : null;
    if (grid) found.push({ ...grid, from, to: end + 1 });
    tags.lastIndex = end + 1;
  }
  return found;
}

function placesOf(lines: readonly { readonly text: string; readonly ending: string }[]): Place[] {
  let at = 0;
  return lines.map(({ text, ending }) => {
    const place = { from: at, to: at + text.length };
    at = place.to + ending.length;
    return place;
  });
}

function blank(line: string): string {
  return ' '.repeat(line.length);
}

function inCodePoints(text: string, found: readonly (Place & TableGrid)[]): FoundTable[] {
  let [units, points] = [0, 0];
  const pointsAt = (place: number) => {
    for (; units < place; units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1) points++;
    return points;
  };
  return found.map(({ from, to, ...grid }) => ({ ...grid, span: [pointsAt(from), pointsAt(to)] as const }));
}
