import { inkedPixels } from './pictures.ts';

const HEADER_BYTES = 54;

/** An uncompressed 24-bit BMP with ink on it. */
export function makeBmp(width = 64, height = 48): Buffer {
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(HEADER_BYTES + rowBytes * height);
  bytes.write('BM', 0);
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(HEADER_BYTES, 10);
  bytes.writeUInt32LE(40, 14); // BITMAPINFOHEADER
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26); // planes
  bytes.writeUInt16LE(24, 28); // bits a pixel
  bytes.writeUInt32LE(rowBytes * height, 34);
  const grey = inkedPixels(width, height);
  for (let y = 0; y < height; y++) {
    const rowAt = HEADER_BYTES + (height - 1 - y) * rowBytes; // the bottom row comes first
    for (let x = 0; x < width; x++) bytes.fill(grey[y * width + x] ?? 255, rowAt + x * 3, rowAt + x * 3 + 3);
  }
  return bytes;
}
