import type { PackedLine, PackedQuad } from '../../documents/positions/packed-line.ts';
import { atOnce } from '../../platform/turns/slices.ts';
import { KeptLines } from './kept-lines.ts';

/** Row, column, rows and columns that it takes, text, and 1 for a header. */
type PackedCell = readonly [number, number, number, number, string, 0 | 1];

/** Rows, columns, polygon or null, cells. */
export type PackedTable = readonly [number, number, PackedQuad | null, readonly PackedCell[]];

/** What the boxes of a page are of; `none` for a page without. */
type Positions = 'word' | 'line' | 'block' | 'none';

/** Where the text of a page stands on the page as a viewer shows it, as it is stored. */
export interface StoredLayout {
  readonly width: number;
  readonly height: number;
  readonly unit: 'point' | 'pixel';
  readonly dpi: number | null;
  /** By how many degrees, clockwise, the page has to be turned for its text to stand upright. */
  readonly textAngle: number;
  readonly positions: Positions;
  /** The engine that found the positions, where another one read the text. */
  readonly locatedBy: string | null;
  readonly lines: KeptLines | null;
  /** Those that the engine tells apart from the text; null, or absent in what was stored before, where it tells none. */
  readonly tables?: readonly PackedTable[] | null;
}

/** A layout as JSON has it: its lines as they were packed, or as base64 of their bytes, for which no objects are made. */
export type JsonLayout = Omit<StoredLayout, 'lines'> & {
  readonly lines: readonly PackedLine[] | null;
  readonly lineBytes?: string | null;
};

export function layoutOfJson({ lines, lineBytes, ...layout }: JsonLayout): StoredLayout {
  if (lineBytes) return { ...layout, lines: KeptLines.ofBytes(Buffer.from(lineBytes, 'base64')) };
  return { ...layout, lines: lines && atOnce(KeptLines.of(lines)) };
}

/** With the bytes of its lines; a process of a version before shows it without. */
export function jsonOfLayout({ lines, ...layout }: StoredLayout): JsonLayout {
  return { ...layout, lines: null, lineBytes: lines?.bytes.toString('base64') ?? null };
}
