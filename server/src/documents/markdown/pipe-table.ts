import { plainInline } from './plain-inline.ts';

const LINE_BREAK = /<br[ \t]*\/?>/gi;
const SEPARATOR_CELL = /^:?-+:?$/;
const PIPE = /(?<!\\)\|/;

/** A table as its cells stand in the markdown. */
export interface PipeTable {
  /** Null where all of its cells are empty: the format demands a header. */
  readonly header: readonly string[] | null;
  readonly body: readonly (readonly string[])[];
  /** Lines of markdown that it took. */
  readonly length: number;
}

/**
 * The table that begins at `lines[start]`; null where none does: pipe-delimited lines without a separator row are text. A
 * line that is null (code) ends the table.
 */
export function parsePipeTable(lines: readonly (string | null)[], start: number): PipeTable | null {
  const header = lines[start] ?? '';
  if (!header.includes('|') || !isSeparatorRow(lines[start + 1] ?? '') || isSeparatorRow(header)) return null;
  let end = start + 2;
  while (lines[end]?.includes('|')) end += 1;
  const title = cells(header);
  const isTitled = title.some((cell) => plainCell(cell) !== '');
  const body = lines.slice(start + 2, end).map((line) => cells(line ?? ''));
  return { header: isTitled ? title : null, body, length: end - start };
}

/**
 * The same as plain lines. Cells are joined by a tab, the one separator that stands in no cell and that spreadsheets split
 * again.
 */
export function readPipeTable(
  lines: readonly (string | null)[],
  start: number,
): { rows: string[]; length: number } | null {
  const table = parsePipeTable(lines, start);
  if (!table) return null;
  const rows = table.header ? [table.header, ...table.body] : table.body;
  return { rows: rows.map((row) => row.map((cell) => plainCell(cell)).join('\t')), length: table.length };
}

/** What stands in a cell, without markup; `between` its lines. */
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
