/** Characters, a run of the same filler (dots, dashes, underscores, spaces) counted once; 0 without a letter or digit. */
export function weight(text: string): number {
  return /[\p{L}\p{N}]/u.test(text) ? text.replace(/([^\p{L}\p{N}])\1+/gu, '$1').length : 0;
}

/** Nothing but figures, signs and blanks. */
export function isWordless(text: string): boolean {
  return !/\p{L}/u.test(text);
}

const COLUMNS = /[|\t]|\S {2,}\S/;
/** Something to be filled in, or ticked. */
const FIELD = /_{3}|\.{4}|…{2}|\[ ?\]|[☐□◻]/u;
const AMOUNT_AT_END = /\d[.,]\d\d(?: ?(?:\p{Sc}|[A-Z]{3}))?$/u;

/** A row of a table (marked as one, or in columns), a field of a form, an item with its price. */
export function isRow(line: string): boolean {
  return COLUMNS.test(line) || FIELD.test(line) || AMOUNT_AT_END.test(line);
}
