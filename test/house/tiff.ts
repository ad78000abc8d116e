import { inkedPixels } from './pictures.ts';

const ENTRIES = 9;
const DIRECTORY_BYTES = 2 + ENTRIES * 12 + 4;
const SHORT = 3;
const LONG = 4;

export interface TiffWish {
  /** The last page names the first as the one after it. */
  readonly circular?: boolean;
}

/** A TIFF of grey, uncompressed pages with ink on them, one for each [width, height]. */
export function makeTiff(sizes: readonly (readonly [number, number])[], wish: TiffWish = {}): Buffer {
  const header = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  const parts: Buffer[] = [header];
  let offset = header.length;
  sizes.forEach(([width, height], index) => {
    const pixels = inkedPixels(width, height);
    const padding = Buffer.alloc(pixels.length % 2); // directories begin at even offsets
    const next = offset + DIRECTORY_BYTES + pixels.length + padding.length;
    const isLast = index === sizes.length - 1;
    const after = isLast ? (wish.circular ? 8 : 0) : next;
    parts.push(directory({ width, height, pixelsAt: offset + DIRECTORY_BYTES, after }), pixels, padding);
    offset = next;
  });
  return Buffer.concat(parts);
}

function directory(page: { width: number; height: number; pixelsAt: number; after: number }): Buffer {
  const entries: [tag: number, type: number, value: number][] = [
    [256, LONG, page.width],
    [257, LONG, page.height],
    [258, SHORT, 8], // bits a sample
    [259, SHORT, 1], // not compressed
    [262, SHORT, 1], // black is zero
    [273, LONG, page.pixelsAt],
    [277, SHORT, 1], // samples a pixel
    [278, LONG, page.height], // rows a strip
    [279, LONG, page.width * page.height],
  ];
  const bytes = Buffer.alloc(DIRECTORY_BYTES);
  bytes.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, value], index) => {
    const at = 2 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(1, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  });
  bytes.writeUInt32LE(page.after, DIRECTORY_BYTES - 4);
  return bytes;
}
