import type { Affine, PackedPage, ShownPage } from '../../documents/formats/document.ts';
import { isOnPage, within } from '../../documents/positions/on-page.ts';
import { isOversized, packPage } from '../../documents/positions/pack-page.ts';
import type { LayoutLine, LayoutTable, PageLayout, Quad } from '../../engines/model/page-layout.ts';
import { KeptLines } from './kept-lines.ts';
import { packTables } from './pack-tables.ts';
import type { StoredLayout } from './stored-layout.ts';

/** What an engine told of a page that it read. */
export interface Located {
  readonly layout: PageLayout | null;
  readonly page: ShownPage;
  /** The page's text, in which spans are counted. */
  readonly text: string;
  /** Of a document that the engine read as a whole: the degrees of `/Rotate`. Absent for a picture of the shown page. */
  readonly rotation?: number;
  /** The positions are those of the PDF's own text: what stands outside of the page is left out without a word. */
  readonly isTextLayer?: boolean;
}

/** Where the text stands on the shown page; `fits` is false where the engine told something that cannot be true. */
export interface ShownLayout {
  readonly stored: StoredLayout;
  readonly fits: boolean;
  /** Words and tables whose places are off the page: those places are left out, the others believed. */
  readonly strays: number;
}

/** How far apart the shapes of two pages may be that are the same. */
const SAME_SHAPE = 0.02;

/**
 * From the engine's space to fractions of the page as a viewer shows it, origin at the top left. What does not fit the
 * page is left out: a box that may be wrong is worse than none. In steps: a dense page takes long.
 */
export function* shownLayout(located: Located): Generator<void, ShownLayout> {
  const { layout, page } = located;
  const map = layout && mapOf(layout, located);
  const told = layout?.tables ?? [];
  const mapped = told.map((table) => mappedTable(table, map));
  const tables = packTables(mapped);
  const strayTables = map ? told.filter(({ box }, index) => box && !mapped[index]?.box).length : 0;
  const without = { stored: { ...emptyLayout(page), ...(tables && { tables }) }, fits: true, strays: strayTables };
  if (!layout || (layout.granularity === 'none' && map)) return without;
  const packed = map && (layout.packed === undefined ? yield* packedLayout(located, layout, map) : layout.packed);
  if (!packed) return { ...without, fits: false };
  const { textAngle, bytes, strays = 0 } = packed;
  const stored = { ...without.stored, textAngle, positions: layout.granularity, lines: KeptLines.ofBytes(bytes) };
  return { stored, fits: true, strays: strayTables + strays };
}

/** Null where the engine told what cannot be true. */
function* packedLayout(
  { page, text, isTextLayer = false }: Located,
  { lines }: PageLayout,
  map: PointMap,
): Generator<void, PackedPage | null> {
  if (isOversized(lines)) return null;
  yield;
  const mapped = map === AS_IT_IS ? lines : lines.map((line) => mappedLine(line, map));
  return yield* packPage(mapped, { page, text, isTextLayer });
}

/** A page of which its size alone is known. */
function emptyLayout({ width, height, unit, dpi }: ShownPage): StoredLayout {
  const known = { width: rounded(width), height: rounded(height), unit, dpi };
  return { ...known, textAngle: 0, positions: 'none', locatedBy: null, lines: null };
}

type PointMap = (x: number, y: number) => [number, number];

/** Of positions that are fractions of the shown page already. */
const AS_IT_IS: PointMap = (x, y) => [x, y];

/** Null where the page that the engine saw is not the page that is shown. */
function mapOf({ width, height }: PageLayout, { page, rotation }: Located): PointMap | null {
  if (!(width > 0 && height > 0)) return null;
  const turned = rotation === undefined ? 0 : turnBetween({ width, height }, page, rotation);
  if (turned === null) return null;
  if (width === 1 && height === 1 && turned === 0 && !page.placement) return AS_IT_IS;
  const place = placed(page.placement);
  return (x, y) => place(...TURNS[turned](x / width, y / height));
}

const TURNS = {
  0: (x: number, y: number): [number, number] => [x, y],
  90: (x: number, y: number): [number, number] => [1 - y, x],
  180: (x: number, y: number): [number, number] => [1 - x, 1 - y],
  270: (x: number, y: number): [number, number] => [y, 1 - x],
};

/**
 * By how much a page that a provider read from the file has to be turned to be the page that is shown. Fractions (a page of
 * 1 by 1) are taken to be of the shown page, as a page of its shape is; one of the transposed shape was not turned.
 */
function turnBetween(
  seen: { width: number; height: number },
  page: ShownPage,
  rotation: number,
): keyof typeof TURNS | null {
  if (seen.width === 1 && seen.height === 1) return 0;
  const shape = seen.width / seen.height;
  const near = (other: number) => Math.abs(shape / other - 1) <= SAME_SHAPE;
  if (near(page.width / page.height)) return 0;
  if (near(page.height / page.width) && (rotation === 90 || rotation === 270)) return rotation;
  return null;
}

function placed(placement: Affine | undefined): PointMap {
  if (!placement) return AS_IT_IS;
  const [a, b, c, d, e, f] = placement;
  return (x, y) => [a * x + c * y + e, b * x + d * y + f];
}

function mappedLine(line: LayoutLine, map: PointMap): LayoutLine {
  const words = line.words.map((word) => ({ ...word, box: mappedQuad(word.box, map) }));
  return { ...line, box: mappedQuad(line.box, map), words };
}

/** A table is what it is, also where its place is not known. */
function mappedTable(table: LayoutTable, map: PointMap | null): LayoutTable {
  const box = table.box && map ? mappedQuad(table.box, map) : null;
  return { ...table, box: box && isOnPage(box) ? within(box) : null };
}

function mappedQuad(quad: Quad, map: PointMap): Quad {
  const [x1, y1, x2, y2, x3, y3, x4, y4] = quad;
  return [...map(x1, y1), ...map(x2, y2), ...map(x3, y3), ...map(x4, y4)];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
