import { blanksBehind } from '../../documents/output/blanks-behind.ts';
import { maxOf, minOf } from '../../platform/numbers/extremes.ts';
import type { TextLine } from '../layout/unpack-lines.ts';
import type { ReadPage } from './read-page.ts';
import { type Paragraph, unplacedText } from './unplaced-text.ts';

/** Left, top, right, bottom in whole pixels. */
export type PixelBox = readonly [left: number, top: number, right: number, bottom: number];

export interface PixelWord {
  readonly text: string;
  readonly box: PixelBox;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly confidence: number | null;
  /** Whether a blank stands behind it. */
  readonly spaced: boolean;
}

export interface PixelLine extends Omit<PixelWord, 'spaced'> {
  /** Empty where only the line's place is known. */
  readonly words: readonly PixelWord[];
}

interface PixelBlock {
  readonly box: PixelBox;
  /** Made one by one: those of a dense page take long. */
  lines(): Iterable<PixelLine>;
}

/** A page and what stands on it in whole pixels, its lines gathered to blocks in reading order. */
export interface PixelPage {
  /** 0, as the height, of a page whose size is not known. */
  readonly width: number;
  readonly height: number;
  readonly dpi: number | null;
  readonly blocks: readonly PixelBlock[];
  /** What the page says where no place of its text is known; there are no blocks then. */
  readonly unplaced: readonly Paragraph[];
}

const POINTS_PER_INCH = 72;

/** A page of a PDF that was not drawn is taken to have been at `assumedDpi`. */
export async function pixelPage(page: ReadPage, assumedDpi: number): Promise<PixelPage> {
  const { layout, lines } = page;
  const unplaced = await unplacedText(page);
  if (!layout) return { width: 0, height: 0, dpi: null, blocks: [], unplaced };
  const dpi = layout.unit === 'point' ? (layout.dpi ?? assumedDpi) : layout.dpi;
  const scale = layout.unit === 'point' ? (layout.dpi ?? assumedDpi) / POINTS_PER_INCH : 1;
  const [width, height] = [Math.round(layout.width * scale), Math.round(layout.height * scale)];
  const size = { width, height };
  const blocks = blocksOf(lines).map((block) => ({
    box: around(block.map((line) => placed(line, size).box)),
    *lines() {
      for (const line of block) yield pixelLine(line, size);
    },
  }));
  return { width, height, dpi: dpi === null ? null : Math.round(dpi), blocks, unplaced };
}

/** That of the whole page, in which a text stands of which no more is known; null where its size is not known either. */
export function boxOfPage({ width, height }: PixelPage): PixelBox | null {
  return width > 0 ? [0, 0, width, height] : null;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Lines that follow each other with the same number; one block where the engine tells none. */
function blocksOf(lines: readonly TextLine[]): TextLine[][] {
  const blocks: TextLine[][] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last && last[0]?.block === line.block) last.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function pixelLine(line: TextLine, size: Size): PixelLine {
  const inside = line.words ?? [];
  const spaced = blanksBehind(line.text, inside);
  const words = inside.map((word, index) => ({ ...placed(word, size), spaced: spaced[index] ?? false }));
  return { ...placed(line, size), words };
}

function placed({ text, polygon, confidence }: TextLine, { width, height }: Size): Omit<PixelWord, 'spaced'> {
  const points = [0, 2, 4, 6].map((at) => {
    return [Math.round((polygon[at] ?? 0) * width), Math.round((polygon[at + 1] ?? 0) * height)] as const;
  });
  const box = around(points.map(([x, y]) => [x, y, x, y] as const));
  return { text, points, box, confidence: confidence ?? null };
}

function around(boxes: readonly PixelBox[]): PixelBox {
  return [
    minOf(boxes.map(([left]) => left)),
    minOf(boxes.map(([, top]) => top)),
    maxOf(boxes.map(([, , right]) => right)),
    maxOf(boxes.map(([, , , bottom]) => bottom)),
  ];
}
