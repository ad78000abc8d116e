import { LINE, type Row, WORD } from './table-row.ts';

/** A line of a table, with its words. */
export interface TableLine {
  readonly row: Row;
  readonly words: readonly Row[];
  /** How it runs: down or up the page, or as most lines do. */
  readonly quarters: Quarters;
}

/** Quarter turns with the clock. */
export type Quarters = 0 | 1 | 3;

/** Letters of columns stand upright. */
const IN_COLUMNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** What lies on its side is that much higher than wide, from three letters on. */
const ON_SIDE = 1.5;
const LETTERS_ON_SIDE = 3;

/**
 * The lines of a table. Tesseract also reads what runs up or down a page that nobody has turned, and tells upright boxes of its
 * words: by how they follow each other one sees where they begin.
 */
export function tableLines(table: readonly Row[]): TableLine[] {
  const lines: { row: Row; words: Row[] }[] = [];
  for (const row of table) {
    const line = lines.at(-1);
    if (row.level === LINE) lines.push({ row, words: [] });
    else if (row.level === WORD && line) line.words.push(row);
    else if (row.level === WORD) lines.push({ row, words: [row] });
  }
  const told = lines.filter(({ words }) => words.length > 0);
  const runs = told.map(({ words }) => quartersOf(words));
  return told.map((line, index) => ({ ...line, quarters: runs[index] ?? likeOthers(line.words, runs) }));
}

/** Null of a line that does not tell it. */
function quartersOf(words: readonly Row[]): Quarters | null {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || words.length < 2) return null;
  if (words.some(({ text }) => IN_COLUMNS.test(text))) return 0;
  const across = middle(last, 'left', 'width') - middle(first, 'left', 'width');
  const down = middle(last, 'top', 'height') - middle(first, 'top', 'height');
  if (Math.abs(down) <= Math.abs(across)) return 0;
  return down > 0 ? 1 : 3;
}

/** A single word on its side runs as most of the others that do. */
function likeOthers(words: readonly Row[], runs: readonly (Quarters | null)[]): Quarters {
  const [word] = words;
  if (!word || word.letters < LETTERS_ON_SIDE || IN_COLUMNS.test(word.text)) return 0;
  if (word.box.height < ON_SIDE * word.box.width) return 0;
  const count = (wanted: Quarters) => runs.filter((quarters) => quarters === wanted).length;
  if (count(1) === 0 && count(3) === 0) return 0;
  return count(1) >= count(3) ? 1 : 3;
}

function middle({ box }: Row, from: 'left' | 'top', size: 'width' | 'height'): number {
  return box[from] + box[size] / 2;
}
