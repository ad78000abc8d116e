import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readPng } from './png.ts';

const grey = await drawn({ channels: 3 }).toColourspace('b-w').png().toBuffer();

describe('readPng', () => {
  it('tells size and resolution', async () => {
    const png = await drawn({ channels: 3 }).withMetadata({ density: 300 }).png().toBuffer();
    expect(readPng(png)).toMatchObject({ width: 40, height: 30, dpi: 300, orientation: 1 });
  });

  it('takes opaque upright 8-bit pictures as plain, palettes and single bits too', async () => {
    const palette = await drawn({ channels: 3 }).png({ palette: true, colours: 2 }).toBuffer();
    for (const png of [grey, palette, await drawn({ channels: 3 }).png().toBuffer()]) {
      expect(readPng(png).plain).toBe(true);
    }
  });

  it('takes pictures with alpha, transparency, 16 bits, a turn or animation as not plain', async () => {
    const pictures = [
      await drawn({ channels: 4 }).png().toBuffer(),
      await drawn({ channels: 3 }).toColourspace('rgb16').png().toBuffer(),
      await drawn({ channels: 3 }).withMetadata({ orientation: 6 }).png().toBuffer(),
      withChunk(grey, 'tRNS', Buffer.from([0, 255])),
      withChunk(grey, 'acTL', Buffer.alloc(8)),
    ];
    expect(pictures.map((png) => readPng(png).plain)).toEqual([false, false, false, false, false]);
  });

  it('reads one EXIF block, and refuses a picture of a hundred thousand chunks', () => {
    const exif = (orientation: number) =>
      Buffer.from(`4d4d002a0000000800010112000300000001000${orientation}000000000000`, 'hex');
    const twice = withChunk(withChunk(grey, 'eXIf', exif(6)), 'eXIf', exif(3));
    expect(readPng(twice).orientation).toBe(6); // which comes first
    const note = chunk('tEXt', Buffer.alloc(0));
    const many = Buffer.concat([grey.subarray(0, 33), ...Array<Buffer>(100_000).fill(note), grey.subarray(33)]);
    expect(() => readPng(many)).toThrow('corrupt or cut off');
  });

  it('refuses a picture that was cut off, at every byte', () => {
    for (let length = 8; length < grey.length; length++) {
      expect(() => readPng(grey.subarray(0, length)), `${length} bytes`).toThrow('corrupt or cut off');
    }
  });

  it('refuses a picture with a flipped bit in what is needed', () => {
    const at = grey.indexOf('IDAT') + 6;
    const broken = Buffer.from(grey);
    broken[at] = (broken[at] ?? 0) ^ 1;
    expect(() => readPng(broken)).toThrow('corrupt or cut off');
  });

  it('passes over broken chunks that are not needed, and over what follows the end', () => {
    const note = withChunk(grey, 'tEXt', Buffer.from('note'));
    note[note.indexOf('note')] = 0;
    expect(readPng(Buffer.concat([note, Buffer.from('more')]))).toMatchObject({ width: 40, height: 30 });
  });

  it.each([
    ['no width', 0, 0],
    ['a size beyond 2^31', 0, 0xffffffff],
  ])('refuses a header with %s', (_, offset, value) => {
    const header = Buffer.from(grey.subarray(16, 29));
    header.writeUInt32BE(value, offset);
    const broken = Buffer.concat([grey.subarray(0, 8), chunk('IHDR', header), grey.subarray(33)]);
    expect(() => readPng(broken)).toThrow('corrupt or cut off');
  });
});

function drawn({ channels }: { channels: 3 | 4 }) {
  return sharp({ create: { width: 40, height: 30, channels, background: { r: 10, g: 200, b: 30, alpha: 0.5 } } });
}

/** The picture with one more chunk before its pixels. */
function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const at = png.indexOf('IDAT') - 4;
  return Buffer.concat([png.subarray(0, at), chunk(type, data), png.subarray(at)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
