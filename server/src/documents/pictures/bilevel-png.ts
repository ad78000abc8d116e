import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const GREY = 0;

/**
 * Packs a picture that is only black and white into a PNG with one bit for each pixel: it has a twentieth of the bytes, and
 * recognisers need not find out what is ink. Null where there is a third value.
 */
export function bilevelPng(grey: Uint8Array, size: { width: number; height: number; stride: number }): Buffer | null {
  const rows = packRows(grey, size);
  if (!rows) return null;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size.width, 0);
  header.writeUInt32BE(size.height, 4);
  header.set([1, GREY, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Packs the rows, each behind the number of its filter: 0, none. Null where there is a third value. */
function packRows(grey: Uint8Array, { width, height, stride }: { width: number; height: number; stride: number }) {
  const rowBytes = 1 + Math.ceil(width / 8);
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = grey[y * stride + x];
      if (value === 0) continue;
      if (value !== 255) return null;
      const at = y * rowBytes + 1 + (x >> 3);
      rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), framed.length - 4);
  return framed;
}
