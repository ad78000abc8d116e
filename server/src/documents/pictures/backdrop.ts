import type { Sharp } from 'sharp';

/** Longest side of the copy by which a transparent picture is judged; single pixels are picked out of it. */
const LOOK_SIDE = 2000;
const CHANNELS = 4;
const OPAQUE = 128;
const LIGHT = 192;
const DARK = 128;
/** Least share of light pixels at an edge: letters have many for their size, sheets and boxes hardly any. */
const STROKES = 0.03;
const CLEARLY = 2;

export const WHITE = '#ffffff';
const BLACK = '#000000';

/** The colour that a transparent picture is laid on: white, and black where its letters would be lost on white. */
export async function backdropOf(picture: Sharp): Promise<typeof WHITE | typeof BLACK> {
  const { data, info } = await picture
    .clone()
    .toColourspace('srgb')
    .ensureAlpha()
    .resize({ width: LOOK_SIDE, height: LOOK_SIDE, fit: 'inside', withoutEnlargement: true, kernel: 'nearest' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return isLightOnNothing(data, info.width) ? BLACK : WHITE;
}

/** Whether light strokes border on transparency. `pixels` are red, green, blue and opacity, row by row. */
function isLightOnNothing(pixels: Uint8Array, width: number): boolean {
  let light = 0;
  let lightEdges = 0;
  let darkEdges = 0;
  for (let at = 0; at * CHANNELS < pixels.length; at++) {
    if (!isOpaque(pixels, at)) continue;
    const grey = greyOf(pixels, at);
    const isEdge = [at - 1, at + 1, at - width, at + width].some((next) => !isOpaque(pixels, next));
    if (grey >= LIGHT) light++;
    if (isEdge && grey >= LIGHT) lightEdges++;
    if (isEdge && grey < DARK) darkEdges++;
  }
  return lightEdges > CLEARLY * darkEdges && lightEdges > STROKES * light;
}

function isOpaque(pixels: Uint8Array, at: number): boolean {
  return (pixels[at * CHANNELS + 3] ?? 0) >= OPAQUE;
}

function greyOf(pixels: Uint8Array, at: number): number {
  const [red = 0, green = 0, blue = 0] = pixels.subarray(at * CHANNELS, at * CHANNELS + 3);
  return 0.3 * red + 0.59 * green + 0.11 * blue;
}
