import { plainInline } from './plain-inline.ts';

const LINE_BREAK = /<br[ \t]*\/?>/gi;
const SEPARATOR_CELL = /^:?-+:?$/;
const PIPE = /(?<!\\)\|/;

/**
 * The table that begins at `lines[start]` as plain lines, and how many lines of markdown it took; null where no table
 * begins: pipe-delimited lines without a separator row are text. Cells are joined by a tab, the one separator that
 * stands in no cell and that spreadsheets split again. A line that is null (code) ends the table.
 */
export function readPipeTable(
  lines: readonly (string | null)[],
  start: number,
): { rows: string[]; length: number } | null {
  const header = lines[start] ?? '';
  if (!header.includes('|') || !isSeparatorRow(lines[start + 1] ?? '') || isSeparatorRow(header)) return null;
  let end = start + 2;
  while (lines[end]?.includes('|')) end += 1;
  const title = plainRow(header);
  const body = lines.slice(start + 2, end).map((line) => plainRow(line ?? ''));
  return { rows: title.trim() === '' ? body : [title, ...body], length: end - start };
}

function isSeparatorRow(line: string): boolean {
  return line.includes('|') && line.includes('-') && cells(line).every((cell) => SEPARATOR_CELL.test(cell.trim()));
}

function plainRow(line: string): string {
  return cells(line)
    .map((cell) => plainInline(cell.replace(LINE_BREAK, ' ')).trim())
    .join('\t');
}

/** The cells between the pipes; the outer pipes are optional. */
function cells(line: string): string[] {
  const parts = line.trim().split(PIPE);
  if (parts.length > 1 && parts[0] === '') parts.shift();
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}
