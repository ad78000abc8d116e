import { plainInline } from './plain-inline.ts';

/** Rows that are looked at in one go. */
const ROWS = 1000;

const LINE_BREAK = /<br[ \t]*\/?>/gi;
const SEPARATOR_CELL = /^:?-+:?$/;
const PIPE = /(?<!\\)\|/;

/** A pipe table, whose cells still have their markup. */
export interface PipeTable {
  /** The header; null where all of its cells are empty, because the format demands one. */
  readonly header: readonly string[] | null;
  readonly body: readonly (readonly string[])[];
  /** Number of lines of Markdown that the table takes. */
  readonly length: number;
}

/**
 * Reads the table that begins at `lines[start]`; null where none does: lines with pipes but without a separator row are text. A
 * line that is null (code) ends the table. Yields now and then.
 */
export function* parsePipeTable(lines: readonly (string | null)[], start: number): Generator<void, PipeTable | null> {
  const header = lines[start] ?? '';
  if (!header.includes('|') || !isSeparatorRow(lines[start + 1] ?? '') || isSeparatorRow(header)) return null;
  const title = cells(header);
  const isTitled = title.some((cell) => plainCell(cell) !== '');
  const body: string[][] = [];
  for (let row = lines[start + 2]; row?.includes('|'); row = lines[start + 2 + body.length]) {
    if (body.push(cells(row)) % ROWS === 0) yield;
  }
  return { header: isTitled ? title : null, body, length: 2 + body.length };
}

/**
 * Reads a table as plain lines, and yields now and then. Cells are joined by a tab, the one separator that stands in no cell and
 * by which spreadsheets divide them again.
 */
export function* readPipeTable(
  lines: readonly (string | null)[],
  start: number,
): Generator<void, { rows: string[]; length: number } | null> {
  const table = yield* parsePipeTable(lines, start);
  if (!table) return null;
  const rows: string[] = table.header ? [plainRow(table.header)] : [];
  for (const row of table.body) {
    if (rows.push(plainRow(row)) % ROWS === 0) yield;
  }
  return { rows, length: table.length };
}

function plainRow(row: readonly string[]): string {
  return row.map((cell) => plainCell(cell)).join('\t');
}

/** The text of a cell without markup; `between` joins its lines. */
export function plainCell(cell: string, between = ' '): string {
  return plainInline(cell.replace(LINE_BREAK, between)).trim();
}

function isSeparatorRow(line: string): boolean {
  return line.includes('|') && line.includes('-') && cells(line).every((cell) => SEPARATOR_CELL.test(cell.trim()));
}

/** The cells between the pipes; the outer pipes are optional. */
function cells(line: string): string[] {
  const parts = line.trim().split(PIPE);
  if (parts.length > 1 && parts[0] === '') parts.shift();
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}
