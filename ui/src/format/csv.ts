/** Rows as RFC 4180 has them. */
export function csvText(rows: ReadonlyArray<ReadonlyArray<string | number | null>>): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would take for a formula is given as text. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
