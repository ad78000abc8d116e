/** Characters, a run of the same filler (dots, dashes, underscores, spaces) counted once; 0 without a letter or digit. */
export function weight(text: string): number {
  return /[\p{L}\p{N}]/u.test(text) ? text.replace(/([^\p{L}\p{N}])\1+/gu, '$1').length : 0;
}

/** Nothing but figures, signs and blanks. */
export function isWordless(text: string): boolean {
  return !/\p{L}/u.test(text);
}

/** A row of a table: marked as one, or in columns. */
export function isRow(line: string): boolean {
  return /[|\t]|\S {2,}\S/.test(line);
}
