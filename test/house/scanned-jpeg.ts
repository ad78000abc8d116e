export interface ScannedJpegWish {
  /** Pixels, as stored. */
  readonly width: number;
  readonly height: number;
  /** 1 to 190; each one has a decoder go over the whole picture. */
  readonly scans: number;
  /** As EXIF numbers them; 1 is upright. */
  readonly orientation?: 1 | 6;
}

/** Blocks that one run without a coefficient skips at most, and the bits that say so: the symbol, and fourteen ones. */
const LONGEST_RUN = 32_767;
const LONGEST_RUN_BITS = '0'.padEnd(15, '1');

/**
 * An even grey picture as a progressive JPEG without a fault, in as many scans as wished: the first one has the means of all
 * blocks, each other one a single coefficient of a single colour, which is nowhere there. Small, whatever its pixels.
 */
export function scannedJpeg({ width, height, scans, orientation = 1 }: ScannedJpegWish): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const runs = packed(LONGEST_RUN_BITS.repeat(Math.ceil(blocks / LONGEST_RUN)));
  const colours = [1, 2, 3];
  const coefficients = Array.from({ length: scans - 1 }, (_, n) => {
    const [colour = 0, at] = [colours[n % 3], 1 + Math.floor(n / 3)];
    return [segment(0xda, [1, colour, 0, at, at, 0]), runs];
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(orientation === 1 ? [] : [exif(orientation)]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, ...word(height), ...word(width), 3, ...colours.flatMap((colour) => [colour, 0x11, 0])]),
    huffman(0x00, 0x00), // of means: no difference
    huffman(0x10, 0xe0), // of the rest: a run of blocks without any
    segment(0xda, [3, ...colours.flatMap((colour) => [colour, 0]), 0, 0, 0]),
    Buffer.alloc(Math.ceil((blocks * 3) / 8)),
    ...coefficients.flat(),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A table with one symbol, whose code is a zero. */
function huffman(table: number, symbol: number): Buffer {
  return segment(0xc4, [table, 1, ...Array<number>(15).fill(0), symbol]);
}

function exif(orientation: number): Buffer {
  const entry = [...word(0x0112), ...word(3), 0, 0, 0, 1, ...word(orientation), 0, 0];
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, ...word(1), ...entry, 0, 0, 0, 0];
  return segment(0xe1, [...Buffer.from('Exif\0\0'), ...tiff]);
}

function segment(marker: number, data: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, ...word(data.length + 2), ...data]);
}

function word(value: number): number[] {
  return [value >> 8, value & 0xff];
}

/** Bits as they stand in a scan: the last byte is filled with ones, and a byte of ones is followed by zero. */
function packed(bits: string): Buffer {
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(
    bytes.flatMap((byte) => {
      const value = Number.parseInt(byte.padEnd(8, '1'), 2);
      return value === 0xff ? [value, 0] : [value];
    }),
  );
}
