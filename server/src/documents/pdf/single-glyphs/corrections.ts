import { isBlank, type TextObject } from './text-object.ts';

/** A character of PDFium's text with the object that draws it; 0 for a character that PDFium has put there by itself. */
export interface ObjectCharacter {
  readonly object: number;
  readonly text: string;
}

/** Changes to PDFium's text of a page, by the indexes of characters. */
export interface Corrections {
  readonly dropped: ReadonlySet<number>;
  readonly blanksBefore: ReadonlySet<number>;
}

/** Characters that PDFium puts between others by itself. */
const GUESSED = /^[ \r\n]$/;
/** Least room for a blank, as a share of the letters' size: a smaller one is not seen, whatever draws it. */
const LEAST_BLANK = 0.075;
/** Room between letters, as a share of their size, that separates words even without a blank. */
const WIDE_GAP = 0.25;
const SAME_LINE = 0.5;
const MOST_BETWEEN = 20;

/**
 * Finds what to correct in PDFium's text of a page whose glyphs are written one by one (Chromium's PDFs). Such programs draw
 * blanks as objects of their own, and say what a cluster of glyphs reads as. PDFium ignores objects without ink, and guesses
 * blanks from the first glyph of a cluster alone; where the next letter stands to the left of a mark, it gives the cluster twice.
 * Null where there is nothing to correct.
 */
export function correctionsOf(
  objects: readonly TextObject[],
  characters: readonly ObjectCharacter[],
): Corrections | null {
  if (!objects.some((object) => object.span === 0 && isBlank(object))) return null;
  const pieces = piecesOf(objects);
  const dropped = repeated(characters, pieces);
  const blanksBefore = new Set<number>();
  let before: Piece | null = null;
  let between: number[] = [];
  let isTornApart = false;
  for (const [index, { object, text }] of characters.entries()) {
    if (dropped.has(index)) {
      isTornApart = true;
      continue;
    }
    if (object === 0 && GUESSED.test(text)) {
      between.push(index);
      continue;
    }
    const piece = text === ' ' ? null : (pieces.get(object) ?? null);
    if (before && piece && piece !== before) {
      const verdict = blankBetween(objects, { one: before, other: piece, isTornApart });
      const guess = between.map((one) => characters[one]?.text).join('');
      const isBreak = /[\r\n]/.test(guess);
      if (verdict !== null && !(isBreak && piece.first < before.first)) {
        const isRight = guess === (verdict ? ' ' : '');
        if (!isRight) for (const one of between) dropped.add(one);
        if (verdict && !isRight) blanksBefore.add(index);
      }
    }
    between = [];
    isTornApart = false;
    before = piece;
  }
  return dropped.size + blanksBefore.size > 0 ? { dropped, blanksBefore } : null;
}

/** Neighbouring objects that read as one: those of a span, or a single object. */
interface Piece {
  readonly first: number;
  last: number;
  /** Right edge of its ink. */
  edge: number;
  readonly isSpan: boolean;
}

function piecesOf(objects: readonly TextObject[]): Map<number, Piece> {
  const bySpan = new Map<number, Piece>();
  const pieces = new Map<number, Piece>();
  for (const [index, { handle, span, box }] of objects.entries()) {
    const piece = (span !== 0 && bySpan.get(span)) || { first: index, last: index, edge: box[2], isSpan: span !== 0 };
    piece.last = index;
    piece.edge = Math.max(piece.edge, box[2]);
    if (span !== 0) bySpan.set(span, piece);
    pieces.set(handle, piece);
  }
  return pieces;
}

/** The characters of spans that another object of the span has given before. */
function repeated(characters: readonly ObjectCharacter[], pieces: ReadonlyMap<number, Piece>): Set<number> {
  const givenBy = new Map<Piece, number>();
  const found = new Set<number>();
  for (const [index, { object }] of characters.entries()) {
    const piece = pieces.get(object);
    if (!piece?.isSpan) continue;
    const giver = givenBy.get(piece) ?? object;
    givenBy.set(piece, giver);
    if (giver !== object) found.add(index);
  }
  return found;
}

interface Neighbours {
  readonly one: Piece;
  readonly other: Piece;
  /** Whether a cluster that was given twice stood between them. */
  readonly isTornApart: boolean;
}

/** Whether there is a blank between two pieces; null where nothing better than PDFium's guess is known. */
function blankBetween(objects: readonly TextObject[], { one, other, isTornApart }: Neighbours): boolean | null {
  const [left, right] = one.first < other.first ? [one, other] : [other, one];
  const [start, next] = [objects[left.first], objects[right.first]];
  if (!start || !next || right.first - left.last > MOST_BETWEEN) return null;
  const size = Math.max(start.size, next.size);
  if (Math.abs(next.y - start.y) > SAME_LINE * size) return null;
  const drawn = objects.slice(left.last + 1, right.first);
  if (!drawn.every(isBlank)) return null;
  if (drawn.some(({ x, span }) => span === 0 && next.x - Math.max(x, left.edge) > LEAST_BLANK * size)) return true;
  const isCluster = left.isSpan || right.isSpan || isTornApart;
  return isCluster && next.x - left.edge < WIDE_GAP * size ? false : null;
}
