import { type Row, WORD } from './recognition.ts';

/**
 * The rows of a table, in which no word covers the one behind it in its line: of Chinese and Japanese, Tesseract tells for
 * some words a box that reaches over several others. It ends where the next word begins, for that is in its place.
 */
export function cutWords(table: readonly Row[]): Row[] {
  const rows = table.filter(({ level, text }) => level !== WORD || text !== '');
  return rows.map((row, index) => {
    const next = rows[index + 1];
    if (row.level !== WORD || next?.level !== WORD) return row;
    const { left, width } = row.box;
    const isCovered = next.box.left > left && left + width > next.box.left + next.box.width / 2;
    return isCovered ? { ...row, box: { ...row.box, width: next.box.left - left } } : row;
  });
}
