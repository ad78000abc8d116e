import type { Pdfium, Pointer } from './library/pdfium.ts';
import { type Box, type PageObject, pageBox, pageObjects } from './pdf-objects.ts';

/** Figures that tell a page of text from a picture of text. Shares are from 0 to 1. */
export interface PageSignals {
  readonly text: string;
  /** Share of the page's area that lies under pictures. */
  readonly pictureShare: number;
  /** Runs of text that one sees, and runs that are drawn invisibly or lie under a picture. */
  readonly visibleRuns: number;
  readonly hiddenRuns: number;
  /** Share of the page's height that visible text touches; 1 where pictures do not fill the page. */
  readonly textHeightShare: number;
  /** Number of strokes of lines and curves. */
  readonly strokes: number;
  /** Share of a sample of the glyphs for which the font does not name the character. */
  readonly unmappedShare: number;
}

/** Share from which on pictures fill the page, except for its margins. */
export const FULL_PAGE = 0.8;
const GRID = 32;
const SAMPLED_GLYPHS = 200;

export function pageSignals(pdfium: Pdfium, page: Pointer, read: { text: string; textPage: Pointer }): PageSignals {
  const area = pageBox(pdfium, page);
  const covered = new Uint8Array(GRID * GRID);
  let seen: Extract<PageObject, { kind: 'text' }>[] = [];
  let hiddenRuns = 0;
  let strokes = 0;
  for (const object of pageObjects(pdfium, page)) {
    if (object.kind === 'drawing') strokes += object.strokes;
    else if (object.kind === 'text' && object.invisible) hiddenRuns++;
    else if (object.kind === 'text') seen.push(object);
    else if (cover(covered, cellsOf(object.box(), area)) >= FULL_PAGE && object.opaque) {
      // Some scanning programs put the recognised text below the picture instead of making it invisible.
      hiddenRuns += seen.length;
      seen = [];
    }
  }
  const pictureShare = share(covered);
  return {
    text: read.text,
    pictureShare,
    visibleRuns: seen.length,
    hiddenRuns,
    textHeightShare: pictureShare >= FULL_PAGE ? heightShare(seen.map((run) => cellsOf(run.box(), area))) : 1,
    strokes,
    unmappedShare: unmappedShare(pdfium, read.textPage),
  };
}

/** The part of a grid over the page that a box touches, as half-open ranges of columns and rows. */
interface Cells {
  readonly columns: readonly [number, number];
  readonly rows: readonly [number, number];
}

function cellsOf([left, bottom, right, top]: Box, area: Box): Cells {
  const cell = (value: number, from: number, to: number) => {
    return Math.min(GRID, Math.max(0, Math.round(((value - from) / (to - from)) * GRID)));
  };
  return {
    columns: [cell(left, area[0], area[2]), cell(right, area[0], area[2])],
    rows: [cell(bottom, area[1], area[3]), cell(top, area[1], area[3])],
  };
}

/** Marks the cells and returns the share of the page that they alone make up. */
function cover(covered: Uint8Array, { columns, rows }: Cells): number {
  for (let row = rows[0]; row < rows[1]; row++) covered.fill(1, row * GRID + columns[0], row * GRID + columns[1]);
  return (Math.max(0, columns[1] - columns[0]) * Math.max(0, rows[1] - rows[0])) / (GRID * GRID);
}

function share(marks: Uint8Array): number {
  return marks.reduce((sum, mark) => sum + mark, 0) / marks.length;
}

function heightShare(runs: readonly Cells[]): number {
  const touched = new Uint8Array(GRID);
  // A line of text is lower than a row of the grid: it counts as one.
  for (const { rows } of runs) touched.fill(1, rows[0], Math.max(rows[1], rows[0] + 1));
  return share(touched);
}

function unmappedShare(pdfium: Pdfium, textPage: Pointer): number {
  const glyphs = pdfium.FPDFText_CountChars(textPage);
  const step = Math.max(1, Math.floor(glyphs / SAMPLED_GLYPHS));
  let sampled = 0;
  let unmapped = 0;
  for (let index = 0; index < glyphs; index += step) {
    sampled++;
    if (pdfium.FPDFText_HasUnicodeMapError(textPage, index) === 1) unmapped++;
  }
  return sampled === 0 ? 0 : unmapped / sampled;
}
