import type { PackedPage, PlacedLine } from '../formats/document.ts';
import { LettersByTurn } from './letters-by-turn.ts';
import { isOnPage, isWithin, within } from './on-page.ts';
import { packLines } from './pack-lines.ts';

/** The share of boxes off the page above which the others are not believed either. */
const MOSTLY_OFF = 0.1;
/**
 * Most words and characters of a page, more than any sheet has (a page of a newspaper has some ten thousand words): what an
 * engine answers is bounded, and a page is located in one go.
 */
export const MOST_WORDS = 20_000;
export const MOST_CHARACTERS = 1_000_000;

/** The page that lines stand on. */
interface LinesPage {
  readonly page: { readonly width: number; readonly height: number };
  /** The page's text, in which spans are counted. */
  readonly text: string;
  /** Whether the positions are those of the PDF's own text: then a word off the page is left out without a note. */
  readonly isTextLayer: boolean;
}

/**
 * Packs lines in fractions of the page as a viewer shows it, without those that do not fit the page. Null where they cannot be
 * true. In steps, because a dense page takes long.
 */
export function* packPage(
  lines: readonly PlacedLine[],
  { page, text, isTextLayer }: LinesPage,
): Generator<void, PackedPage | null> {
  const kept = lines.map(withoutStrays).filter((line) => line !== null);
  const strays = boxesOf(lines) - boxesOf(kept);
  if (!isTextLayer && strays > MOSTLY_OFF * boxesOf(lines)) return null;
  const textAngle = angleOf(kept, page);
  yield;
  const packed = { textAngle, bytes: yield* packLines(kept, text) };
  return isTextLayer || strays === 0 ? packed : { ...packed, strays };
}

/** The line with the words that stand on the page, their boxes cut off at its edges; null where nothing of the line does. */
function withoutStrays(line: PlacedLine): PlacedLine | null {
  if (isWithin(line.box) && line.words.every(({ box }) => isWithin(box))) return line;
  const words = line.words.filter(({ box }) => isOnPage(box)).map((word) => ({ ...word, box: within(word.box) }));
  const isWhole = words.length === line.words.length && isOnPage(line.box);
  if (isWhole) return { ...line, box: within(line.box), words };
  if (words.length === 0) return null;
  return { ...line, text: words.map(({ text }) => text).join(' '), box: within(line.box), words };
}

function boxesOf(lines: readonly PlacedLine[]): number {
  return lines.reduce((sum, { words }) => sum + Math.max(1, words.length), 0);
}

/** Whether a page has more words or characters than any sheet. */
export function isOversized(lines: readonly PlacedLine[]): boolean {
  let characters = 0;
  for (const { text, words } of lines) {
    characters += text.length;
    for (const word of words) characters += word.text.length;
  }
  return boxesOf(lines) > MOST_WORDS || characters > MOST_CHARACTERS;
}

function angleOf(lines: readonly PlacedLine[], page: LinesPage['page']): number {
  const letters = new LettersByTurn(page);
  for (const { box, text } of lines) letters.add(box, text.length);
  return letters.angle;
}
