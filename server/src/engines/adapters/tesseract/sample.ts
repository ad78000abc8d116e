import type { Sharp } from 'sharp';
import { sharp } from '../../../documents/pictures/sharp.ts';
import { isSideways, type Turn } from './orientation.ts';
import type { Line, Recognition } from './recognition.ts';

/** A part of a page that is cheap to read in other orientations, and the score of the page's first reading for it. */
export interface Sample {
  /** The part as it looks when the page is turned. */
  turned(turn: Turn): Promise<Buffer>;
  /** Page segmentation mode; null for that of the page. */
  readonly psm: number | null;
  /** The score of the first reading for this part. */
  readonly score: number;
  /** Whether the sample is the page as it is: a reading of it needs no second one. */
  readonly whole: boolean;
}

const LINES = 8;
const LEAST_LINES = 3;
const LEAST_LETTERS_A_LINE = 5;
/** Letters below which a page is read quickly as a whole. */
const SPARSE_LETTERS = 200;
const MARGIN_PX = 6;
const MOST_PIXELS = 4_000_000;
/** Most pixels of a page on which nothing was found: it is more likely a photograph than text, so it has to be cheap. */
const MOST_PIXELS_WITHOUT_TEXT = 1_500_000;

/**
 * Takes a sample: some of the page's lines, one below the other; of a page with few of them the whole page, made smaller where it
 * is large.
 */
export async function takeSample(bytes: Buffer, { lines, letters, score }: Recognition): Promise<Sample> {
  const sideways = isSideways(lines);
  const chosen = spread(
    lines.filter((line) => line.letters >= LEAST_LETTERS_A_LINE && isSideways([line]) === sideways),
  );
  if (letters < SPARSE_LETTERS || chosen.length < LEAST_LINES) {
    return wholePage(bytes, score, letters > 0 ? MOST_PIXELS : MOST_PIXELS_WITHOUT_TEXT);
  }
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const strips = chosen.map(({ box }) => ({
    left: Math.max(box.left - MARGIN_PX, 0),
    top: Math.max(box.top - MARGIN_PX, 0),
    width: Math.min(box.width + 2 * MARGIN_PX, info.width - Math.max(box.left - MARGIN_PX, 0)),
    height: Math.min(box.height + 2 * MARGIN_PX, info.height - Math.max(box.top - MARGIN_PX, 0)),
  }));
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return {
    turned: async (turn) => stack(await Promise.all(strips.map((strip) => cut(sharp(data, { raw }), strip, turn)))),
    psm: 6,
    score: chosen.reduce((sum, line) => sum + line.score, 0),
    whole: false,
  };
}

async function wholePage(bytes: Buffer, score: number, mostPixels: number): Promise<Sample> {
  const { width, height } = await sharp(bytes).metadata();
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)));
  return {
    turned: (turn) => turnPicture(bytes, turn, scale === 1 ? undefined : Math.round(width * scale)),
    psm: null,
    score,
    whole: scale === 1,
  };
}

/** The picture turned clockwise, without loss unless it is made narrower first. */
export function turnPicture(bytes: Buffer, turn: Turn, width?: number): Promise<Buffer> {
  const picture = width === undefined ? sharp(bytes) : sharp(bytes).resize({ width });
  return picture.rotate(turn).png({ compressionLevel: 1 }).toBuffer();
}

/** Chooses lines evenly from the first to the last: the top of a page may be a letterhead, its middle a photograph. */
function spread(lines: readonly Line[]): Line[] {
  const step = Math.max(1, lines.length / LINES);
  return Array.from({ length: Math.min(LINES, lines.length) }, (_, index) => lines[Math.floor(index * step)]).filter(
    (line) => line !== undefined,
  );
}

type Strip = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

async function cut(page: Sharp, strip: Strip, turn: Turn) {
  const { data, info } = await page.extract(strip).rotate(turn).raw().toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

function stack(strips: Awaited<ReturnType<typeof cut>>[]): Promise<Buffer> {
  const gap = 2 * MARGIN_PX;
  let top = gap;
  const placed = strips.map((strip) => {
    const at = { ...strip, left: gap, top };
    top += strip.raw.height + gap;
    return at;
  });
  const width = Math.max(...strips.map(({ raw }) => raw.width)) + 2 * gap;
  const canvas = sharp({ create: { width, height: top, channels: 3, background: 'white' } });
  return canvas.composite(placed).greyscale().png({ compressionLevel: 1 }).toBuffer();
}
