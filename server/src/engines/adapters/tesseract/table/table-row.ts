export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export const PAGE = 1;
export const LINE = 4;
export const WORD = 5;

/** A row of the table. */
export interface Row {
  readonly level: number;
  readonly block: number;
  readonly box: Box;
  readonly confidence: number;
  readonly text: string;
  readonly length: number;
  readonly letters: number;
}

export function rowOf(row: string): Row {
  const columns = row.split('\t');
  const number = (index: number) => Number(columns[index]) || 0;
  const text = columns.slice(11).join(' ').trim();
  return {
    level: number(0),
    block: number(2),
    box: { left: number(6), top: number(7), width: number(8), height: number(9) },
    confidence: Math.min(Math.max(number(10) / 100, 0), 1),
    text,
    length: [...text].length,
    letters: text.match(/[\p{L}\p{N}]/gu)?.length ?? 0,
  };
}

/**
 * The rows of a table, cut so that no word covers the one behind it in its line. For some words of Chinese and Japanese,
 * Tesseract gives a box that reaches over several others; such a box is cut where the next word begins, which has the right
 * place.
 */
export function cutWords(table: readonly Row[]): Row[] {
  const rows = table.filter(({ level, text }) => level !== WORD || text !== '');
  return rows.map((row, index) => {
    const next = rows[index + 1];
    if (row.level !== WORD || next?.level !== WORD) return row;
    const { left, top, width, height } = row.box;
    const isBeside = next.box.top + next.box.height / 2 < top + height && next.box.top + next.box.height / 2 > top;
    const isCovered = isBeside && next.box.left > left && left + width > next.box.left + next.box.width / 2;
    return isCovered ? { ...row, box: { ...row.box, width: next.box.left - left } } : row;
  });
}
