import { atOnce } from '../../platform/turns/slices.ts';
import { lineKinds } from './code-fences.ts';
import { parseHtmlTable } from './html-table.ts';
import { type PipeTable, parsePipeTable, plainCell } from './pipe-table.ts';
import { withoutQuoteMarks } from './quote-marks.ts';
import { type Block, splitBlocks } from './split-blocks.ts';
import { gridOf, type TableCell, type TableGrid } from './text-table.ts';

/** A table and its place in the text: from and to, in code points. */
export interface FoundTable extends TableGrid {
  readonly span: readonly [from: number, to: number];
}

/** A place in the text in UTF-16 units, as JavaScript counts. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** Most tables of a page. */
const MOST_TABLES = 200;
/** Most characters of an HTML table; a longer one is left out. */
const MOST_HTML = 1_000_000;
const TABLE_TAG = /<(\/?)table(?=[\s>/])/gi;
/** Lines, rows or tags that are looked at in one go. */
const AT_ONCE = 1000;

/** Finds the tables of a Markdown text, pipe tables and HTML ones, in their order; tables in code are left out. */
export function findTables(text: string): FoundTable[] {
  return atOnce(findTablesInTurns(text));
}

/** `findTables` in steps, which yields now and then. */
export function* findTablesInTurns(text: string): Generator<void, FoundTable[]> {
  if (!text.includes('|') && !/<table/i.test(text)) return [];
  const blocks: (Block & Place)[] = [];
  const marked: (string | null)[] = [];
  let at = 0;
  for (const block of splitBlocks(text)) {
    const place = { from: at, to: at + block.text.length };
    at = place.to + block.ending.length;
    marked.push(block.isPlain ? '' : block.text);
    if (blocks.push({ ...block, ...place }) % AT_ONCE === 0) yield;
  }
  const kinds = yield* lineKinds(marked as string[]); // none is null yet
  for (const [i, kind] of kinds.entries()) {
    if (kind !== 'text') marked[i] = null;
  }
  const html = yield* htmlTables(yield* prose(blocks, marked));
  const pipes = yield* pipeTables(blocks, yield* withoutQuoteMarks(marked), html);
  return inCodePoints(text, [...html, ...pipes].sort((a, b) => a.from - b.from).slice(0, MOST_TABLES));
}

/** The text with blanks in place of code, for which `marked` is null. */
function* prose(blocks: readonly Block[], marked: readonly (string | null)[]): Generator<void, string> {
  const pieces: string[] = [];
  let parts: string[] = [];
  for (const [i, { text, ending }] of blocks.entries()) {
    parts.push(marked[i] === null ? text.replace(/[^\r\n]/g, ' ') : text, ending);
    if (i % AT_ONCE !== 0) continue;
    pieces.push(parts.join(''));
    parts = [];
    yield;
  }
  return pieces.join('') + parts.join('');
}

function* pipeTables(
  blocks: readonly Place[],
  texts: readonly (string | null)[],
  html: readonly Place[],
): Generator<void, (Place & TableGrid)[]> {
  const isTaken = ({ from, to }: Place) => html.some((table) => from < table.to && table.from < to);
  const found: (Place & TableGrid)[] = [];
  for (let i = 0, seen = 0; i < texts.length && found.length < MOST_TABLES; i += 1, seen += 1) {
    if (seen % AT_ONCE === 0) yield;
    const table = texts[i]?.includes('|') ? yield* parsePipeTable(texts, i) : null;
    if (!table) continue;
    const grid = yield* pipeGrid(table);
    const place = { from: blocks[i]?.from ?? 0, to: blocks[i + table.length - 1]?.to ?? 0 };
    if (grid && !isTaken(place)) found.push({ ...grid, ...place });
    i += table.length - 1;
  }
  return found;
}

function* pipeGrid({ header, body }: PipeTable): Generator<void, TableGrid | null> {
  const rows = header ? [header, ...body] : body;
  const cells: TableCell[] = [];
  let columns = 0;
  for (const [index, row] of rows.entries()) {
    columns = Math.max(columns, row.length);
    for (const [at, cell] of row.entries()) {
      cells.push({
        ...{ row: index + 1, column: at + 1, rowSpan: 1, columnSpan: 1 },
        text: plainCell(cell, '\n').replace(/[ \t]*\n[ \t]*/g, '\n'),
        header: header !== null && index === 0,
      });
    }
    if (index % AT_ONCE === 0) yield;
  }
  return gridOf({ rows: rows.length, columns, cells });
}

/** Finds the outermost HTML tables. A table that never ends is text, and so is all behind it. */
function* htmlTables(text: string): Generator<void, (Place & TableGrid)[]> {
  const found: (Place & TableGrid)[] = [];
  const tags = new RegExp(TABLE_TAG);
  let depth = 0;
  let from = 0;
  let seen = 0;
  for (let match = tags.exec(text); match && found.length < MOST_TABLES; match = tags.exec(text)) {
    if (++seen % AT_ONCE === 0) yield;
    const closes = match[1] === '/';
    if (!closes && depth++ === 0) from = match.index;
    if (!closes || depth === 0 || --depth > 0) continue;
    const end = text.indexOf('>', match.index);
    if (end < 0) break;
    const grid = end - from < MOST_HTML ? parseHtmlTable(text.slice(from, end + 1)) : null;
    if (grid) found.push({ ...grid, from, to: end + 1 });
    tags.lastIndex = end + 1;
    yield;
  }
  return found;
}

function inCodePoints(text: string, found: readonly (Place & TableGrid)[]): FoundTable[] {
  let [units, points] = [0, 0];
  const pointsAt = (place: number) => {
    for (; units < place; units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1) points++;
    return points;
  };
  return found.map(({ from, to, ...grid }) => ({ ...grid, span: [pointsAt(from), pointsAt(to)] as const }));
}
