import { LINE, type Row, WORD } from './table-row.ts';

/** A line of a table, with its words. */
export interface TableLine {
  readonly row: Row;
  readonly words: readonly Row[];
  /** The direction of the line: down or up the page, or as most lines do. */
  readonly quarters: Quarters;
}

/** Quarter turns with the clock. */
export type Quarters = 0 | 1 | 3;

/** Letters that stand upright in columns. */
const IN_COLUMNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Least ratio of height to width of a word on its side, from three letters on. */
const ON_SIDE = 1.5;
const LETTERS_ON_SIDE = 3;

/**
 * The lines of a table. Tesseract also reads lines that run up or down a page that nobody has turned, and gives upright boxes for
 * their words: the order of the words tells where such a line begins.
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

/** The direction of a line by its words; null where they do not tell it. */
function quartersOf(words: readonly Row[]): Quarters | null {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || words.length < 2) return null;
  if (words.some(({ text }) => IN_COLUMNS.test(text))) return 0;
  const across = middle(last, 'left', 'width') - middle(first, 'left', 'width');
  const down = middle(last, 'top', 'height') - middle(first, 'top', 'height');
  if (Math.abs(down) <= Math.abs(across)) return 0;
  return down > 0 ? 1 : 3;
}

/** The direction of a line of one word: on its side, it runs as most of the others that do. */
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
