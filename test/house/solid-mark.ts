import { readFile } from 'node:fs/promises';
import sharp from 'sharp';

/** Pixels of the mark from the edges of the page's own picture, and its sides. */
const MARK = { left: 480, top: 60, width: 60, height: 60 };
/** What is darker is ink, of 255. */
const INK = 100;
/** Of the longest stroke in the picture: shorter ones are letters. */
const LONG = 0.7;

/** A page of two columns with a black square between them. */
export async function markedPage(): Promise<Buffer> {
  const page = await readFile(new URL('../fixtures/two-columns.png', import.meta.url));
  return mark(await sharp(page).flatten({ background: 'white' }).toColourspace('srgb').png().toBuffer());
}

/** A white sheet of that size with such a square, and nothing else. */
export async function markedSheet(width: number, height: number): Promise<Buffer> {
  return mark(
    await sharp({ create: { width, height, channels: 3, background: 'white' } })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
}

/** The middle of the square, in pixels, and the size of the picture; whatever was done to it, no letter is as wide. */
export async function markOn(bytes: Buffer): Promise<{ x: number; y: number; width: number; height: number }> {
  const { data, info } = await sharp(bytes)
    .flatten({ background: 'white' })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const strokes: { readonly from: number; readonly to: number; readonly y: number }[] = [];
  for (let y = 0; y < info.height; y++) {
    let from = -1;
    for (let x = 0; x <= info.width; x++) {
      const isInk = x < info.width && (data[(y * info.width + x) * info.channels] ?? 255) < INK;
      if (isInk && from < 0) from = x;
      if (isInk || from < 0) continue;
      strokes.push({ from, to: x, y });
      from = -1;
    }
  }
  const longest = strokes.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const square = strokes.filter(({ from, to }) => to - from >= LONG * longest);
  const mean = (of: (stroke: (typeof square)[number]) => number) =>
    square.reduce((sum, stroke) => sum + of(stroke), 0) / square.length;
  return { x: mean(({ from, to }) => (from + to) / 2), y: mean((stroke) => stroke.y + 0.5), ...sizeOf(info) };
}

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width, height };
}

function mark(page: Buffer): Promise<Buffer> {
  const input = { create: { width: MARK.width, height: MARK.height, channels: 3, background: 'black' } } as const;
  return sharp(page)
    .composite([{ input, left: MARK.left, top: MARK.top }])
    .png({ compressionLevel: 1 })
    .toBuffer();
}
