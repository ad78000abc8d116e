import { decodeHTML } from 'entities';
import { gridOf, MOST_COLUMNS, type TableCell, type TableGrid } from './text-table.ts';

/** A piece of HTML: a tag, or the text between two. */
type Piece = { readonly text: string } | { readonly name: string; readonly closes: boolean; readonly tag: string };

/** A cell while it is read; line feeds end the lines of its text. */
interface OpenCell {
  readonly header: boolean;
  readonly rowSpan: number;
  readonly columnSpan: number;
  text: string;
}

const BLANKS = /[ \t\r\n\f]+/g;
/** Elements that end a line of text. */
const BLOCKS = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'tr', 'table']);
const TO_THE_END = 65_534;

/**
 * Reads the table in `<table …>…</table>`, by HTML's rule for the columns of cells beside those that span rows. Tags are read one
 * by one, and nothing is nested: the time it takes depends on the length of the text only. A table in a cell becomes its text.
 * Null where there is no table, or one that is too large.
 */
export function parseHtmlTable(html: string): TableGrid | null {
  const rows: OpenCell[][] = [];
  let cell: OpenCell | null = null;
  let depth = 0;
  let inHead = false;
  for (const piece of pieces(html)) {
    if ('text' in piece) {
      if (cell) cell.text += decodeHTML(piece.text).replace(BLANKS, ' ');
      continue;
    }
    const { name, closes, tag } = piece;
    if (name === 'table') depth += closes ? -1 : 1;
    if (depth > 1 || (name === 'table' && depth === 1 && closes)) {
      if (cell) cell.text += BLOCKS.has(name) ? '\n' : ' ';
      continue;
    }
    if (name === 'td' || name === 'th') {
      cell = null;
      if (closes) continue;
      cell = { header: name === 'th' || inHead, rowSpan: span(tag, 'row'), columnSpan: span(tag, 'col'), text: '' };
      if (rows.length === 0) rows.push([]);
      rows.at(-1)?.push(cell);
    } else if (name === 'tr' || name === 'thead' || name === 'tbody' || name === 'tfoot') {
      cell = null;
      if (name === 'thead') inHead = !closes;
      if (name === 'tbody' || name === 'tfoot') inHead = false;
      if (name === 'tr' && !closes) rows.push([]);
    } else if (name === 'caption') cell = null;
    else if (cell && BLOCKS.has(name)) cell.text += '\n';
  }
  return placed(rows.filter((row) => row.length > 0));
}

/** Gives cells their columns: the first ones that no cell of a row above reaches into. */
function placed(rows: readonly (readonly OpenCell[])[]): TableGrid | null {
  const cells: TableCell[] = [];
  /** The last row that a cell above reaches, for each column. */
  const reached: number[] = [];
  let columns = 0;
  for (const [index, row] of rows.entries()) {
    const number = index + 1;
    let column = 1;
    for (const { text, header, rowSpan, columnSpan } of row) {
      while ((reached[column] ?? 0) >= number) column++;
      if (column + columnSpan - 1 > MOST_COLUMNS) return null;
      for (let i = 0; i < columnSpan; i++) reached[column + i] = number + rowSpan - 1;
      cells.push({ row: number, column, rowSpan, columnSpan, text: lines(text), header });
      column += columnSpan;
      columns = Math.max(columns, column - 1);
    }
  }
  return gridOf({ rows: rows.length, columns, cells });
}

function lines(text: string): string {
  const each = text.split('\n').map((line) => line.replace(/ +/g, ' ').trim());
  return each.filter((line) => line !== '').join('\n');
}

/** The number of rows or columns that a cell takes; `rowspan=0` means all rows that follow. */
function span(tag: string, of: 'row' | 'col'): number {
  const value = new RegExp(`\\b${of}span\\s*=\\s*["']?(\\d{1,5})`, 'i').exec(tag)?.[1];
  if (value === undefined) return 1;
  const count = Number(value);
  if (of === 'row') return count === 0 ? TO_THE_END : count;
  return Math.min(1000, Math.max(1, count));
}

function* pieces(html: string): Generator<Piece> {
  let from = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const isComment = html.startsWith('<!--', at);
    const name = isComment ? null : /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(at, at + 20));
    if (!name && !isComment) {
      at++; // a `<` that is text
      continue;
    }
    const end = isComment ? html.indexOf('-->', at + 4) + 2 : html.indexOf('>', at);
    if (end < at) break;
    if (at > from) yield { text: html.slice(from, at) };
    if (name) {
      const [, slash, word = ''] = name;
      yield { name: word.toLowerCase(), closes: slash === '/', tag: html.slice(at, Math.min(end, at + 500)) };
    }
    at = end + 1;
    from = at;
  }
  if (from < html.length) yield { text: html.slice(from) };
}
