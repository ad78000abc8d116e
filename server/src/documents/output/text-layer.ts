import { blanksBehind } from './blanks-behind.ts';
import type { GlyphCodes } from './glyph-codes.ts';
import { GLYPH_WIDTH } from './glyphless-font.ts';
import type { OutputLine, OutputWord, PageFrame, Polygon } from './output-page.ts';

/**
 * Least width of a word, as a share of the line's height: a narrower one was measured wrongly, and text of no width cannot be
 * marked.
 */
const NARROWEST = 0.05;
/**
 * Width of a blank as a share of the line's height: poppler ignores a gap of less than 0.15, even where a blank is written in it.
 */
const BLANK = 0.2;
/** Share of its width that a word keeps where the next one begins within it. */
const LEAST_KEPT = 0.5;
const LOWEST_POINTS = 1;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const INVISIBLE = '3 Tr';
/**
 * Slope (rise by run, about 6 degrees) up to which the words of a line are written level, each at its own height. Poppler divides
 * a word where its letters leave the level on which it began.
 */
const LEVEL_SLOPE = 0.1;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Piece {
  readonly text: string;
  /** Begin and end in points along the line. */
  readonly from: number;
  readonly to: number;
  /** Whether a blank stands behind it. */
  readonly spaced: boolean;
}

/**
 * The drawing operators of invisible text for one page, empty where there is nothing to write. Each word is stretched to
 * the width that it has on the page, and the blank behind it up to the next word, so that copied text has one blank there.
 */
export function textLayer(
  lines: readonly OutputLine[],
  frame: PageFrame,
  { font, codes }: { font: string; codes: GlyphCodes },
): string {
  const operators = lines.flatMap(rowsOf).flatMap((line) => lineOperators(line, frame, { font, codes }));
  return operators.length === 0 ? '' : ['q', 'BT', INVISIBLE, ...operators, 'ET', 'Q', ''].join('\n');
}

/**
 * Divides a line of several rows, which an engine gives that only knows where paragraphs are: each row gets its share of the
 * height.
 */
function rowsOf(line: OutputLine): OutputLine[] {
  const rows = line.text.split('\n').filter((row) => row.trim() !== '');
  if (rows.length <= 1 || (line.words?.length ?? 0) > 0) return [line];
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0] = line.polygon;
  const between = (from: number, to: number, share: number) => from + (to - from) * share;
  return rows.map((text, index) => {
    const [above, below] = [index / rows.length, (index + 1) / rows.length];
    const [left, right] = [
      (share: number) => [between(x1, x4, share), between(y1, y4, share)],
      (share: number) => [between(x2, x3, share), between(y2, y3, share)],
    ];
    return { text, polygon: [...left(above), ...right(above), ...right(below), ...left(below)] };
  });
}

function lineOperators(
  line: OutputLine,
  frame: PageFrame,
  { font, codes }: { font: string; codes: GlyphCodes },
): string[] {
  const base = baseline(line, frame);
  const pieces = piecesOf(line, base, frame);
  if (pieces.length === 0) return [];
  const { origin, along, up, height, slope } = base;
  const advance = (height * GLYPH_WIDTH) / 1000;
  const narrowest = height * NARROWEST;
  const operators = [
    `/${font} ${number(height)} Tf`,
    `${[along.x, along.y, up.x, up.y].map(fine).join(' ')} ${number(origin.x)} ${number(origin.y)} Tm`,
  ];
  let [at, risen] = [0, 0];
  for (const [index, { text, from, to, spaced }] of pieces.entries()) {
    const { hex, count } = codes.encode(text);
    const next = pieces[index + 1];
    const width = Math.max(narrowest, endBefore(next, { from, to, spaced, height }) - from);
    const rise = (slope * (from + to)) / 2;
    if (from !== at || rise !== risen) operators.push(`${number(from - at)} ${number(rise - risen)} Td`);
    [at, risen] = [from, rise];
    operators.push(`${number((100 * width) / (advance * count))} Tz <${hex}> Tj`);
    if (!next || !spaced) continue;
    const gap = Math.max(narrowest, next.from - from - width);
    operators.push(`${number((100 * gap) / advance)} Tz <0020> Tj`);
  }
  return operators;
}

interface Extent extends Omit<Piece, 'text'> {
  /** Height of the line. */
  readonly height: number;
}

/** The end of a word. Readers go by gaps, so there is room for a blank before the next word, or none where there is no blank. */
function endBefore(next: Piece | undefined, { from, to, spaced, height }: Extent): number {
  if (!next || next.from <= from) return to;
  if (!spaced) return next.from - to > height ? to : next.from;
  if (next.from - to >= BLANK * height) return to;
  return Math.min(to, Math.max(next.from - BLANK * height, from + (to - from) * LEAST_KEPT));
}

interface Baseline {
  readonly origin: Point;
  /** Unit vector in the direction in which the text runs. */
  readonly along: Point;
  /** Unit vector towards the top of the letters. */
  readonly up: Point;
  /** Points. */
  readonly height: number;
  /** Rise of the line above `along` for each of its points. */
  readonly slope: number;
}

/**
 * The baseline of a line. A text that runs from right to left is written along a mirrored axis, in the order in which it is read.
 */
function baseline({ polygon, text, words = [] }: OutputLine, frame: PageFrame): Baseline {
  const [top, , right, left] = cornersOf(polygon, frame);
  const span = { x: right.x - left.x, y: right.y - left.y };
  const length = Math.hypot(span.x, span.y);
  const own = length > 0 ? { x: span.x / length, y: span.y / length } : { x: 1, y: 0 };
  const direction = words.length > 0 ? levelled(own) : own;
  const up = { x: -direction.y, y: direction.x };
  const height = Math.max(LOWEST_POINTS, dot({ x: top.x - left.x, y: top.y - left.y }, up));
  const slope = direction === own ? 0 : dot(own, up) / dot(own, direction);
  if (!isRightToLeft(text)) return { origin: left, along: direction, up, height, slope };
  return { origin: right, along: { x: -direction.x, y: -direction.y }, up, height, slope: -slope };
}

/** The direction of the page's side that a direction almost follows, or else the direction itself. */
function levelled(direction: Point): Point {
  const { x, y } = direction;
  if (Math.abs(y) <= LEVEL_SLOPE * Math.abs(x)) return { x: Math.sign(x), y: 0 };
  if (Math.abs(x) <= LEVEL_SLOPE * Math.abs(y)) return { x: 0, y: Math.sign(y) };
  return direction;
}

function piecesOf(line: OutputLine, { origin, along }: Baseline, frame: PageFrame): Piece[] {
  const words = (line.words ?? []).filter(({ text }) => text.trim() !== '');
  const parts: readonly OutputWord[] = words.length > 0 ? words : line.text.trim() === '' ? [] : [line];
  const spaced = blanksBehind(line.text, parts);
  return parts.map((part, index) => {
    const [, , right, left] = cornersOf(part.polygon, frame);
    const ends = [left, right].map(({ x, y }) => dot({ x: x - origin.x, y: y - origin.y }, along));
    const text = part.text.replace(/\s+/g, ' ').trim();
    return { text, from: Math.min(...ends), to: Math.max(...ends), spaced: spaced[index] ?? false };
  });
}

type Corners = readonly [Point, Point, Point, Point];

function cornersOf(polygon: Polygon, frame: PageFrame): Corners {
  const corner = (index: number) => placed(polygon[index * 2] ?? 0, polygon[index * 2 + 1] ?? 0, frame);
  return [corner(0), corner(1), corner(2), corner(3)];
}

/** Maps fractions of the page as it is shown to points of the page before it is turned. */
function placed(x: number, y: number, { left, bottom, right, top, rotate }: PageFrame): Point {
  const [width, height] = [right - left, top - bottom];
  switch (rotate) {
    case 0:
      return { x: left + x * width, y: top - y * height };
    case 90:
      return { x: left + y * width, y: bottom + x * height };
    case 180:
      return { x: right - x * width, y: bottom + y * height };
    case 270:
      return { x: right - y * width, y: top - x * height };
  }
}

/** Whether most letters of a text run from right to left. */
function isRightToLeft(text: string): boolean {
  const letters = [...text].filter((character) => /\p{L}/u.test(character));
  return letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length * 2 > letters.length;
}

function dot(one: Point, other: Point): number {
  return one.x * other.x + one.y * other.y;
}

function number(value: number): string {
  return trimmed(value, 2);
}

function fine(value: number): string {
  return trimmed(value, 5);
}

function trimmed(value: number, decimals: number): string {
  const short = value.toFixed(decimals).replace(/\.?0+$/, '');
  return short === '-0' ? '0' : short;
}
