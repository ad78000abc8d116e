import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readJpeg } from './jpeg.ts';

const jpeg = await drawn().jpeg().toBuffer();

describe('readJpeg', () => {
  it('tells size, resolution and orientation', async () => {
    const turned = await drawn().withMetadata({ density: 200, orientation: 8 }).jpeg().toBuffer();
    expect(readJpeg(turned)).toEqual({
      width: 40,
      height: 30,
      dpi: 200,
      orientation: 8,
      plain: false,
      bytesPerPixel: 3,
    });
  });

  it('takes upright grey and colour pictures as plain, progressive ones too', async () => {
    const pictures = [
      jpeg,
      await drawn().jpeg({ progressive: true }).toBuffer(),
      await drawn().toColourspace('b-w').jpeg().toBuffer(),
    ];
    expect(pictures.map((picture) => readJpeg(picture).plain)).toEqual([true, true, true]);
  });

  it('takes four colours (print) as not plain', async () => {
    expect(readJpeg(await drawn().toColourspace('cmyk').jpeg().toBuffer()).plain).toBe(false);
  });

  it('refuses a picture that was cut off, at every byte', () => {
    for (let length = 3; length < jpeg.length; length++) {
      expect(() => readJpeg(jpeg.subarray(0, length)), `${length} bytes`).toThrow('corrupt or cut off');
    }
  });

  it('accepts bytes behind the end, as some cameras write them', () => {
    expect(readJpeg(Buffer.concat([jpeg, Buffer.alloc(100, 7)]))).toMatchObject({ width: 40, height: 30 });
  });

  it('is not led astray by a broken EXIF block', () => {
    const exif = Buffer.from('ffe1001245786966000049492a00ffffffff0000', 'hex');
    const broken = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
    expect(readJpeg(broken)).toMatchObject({ width: 40, orientation: 1, plain: true });
  });

  it('reads one EXIF block, and refuses a picture before which stand thousands of segments', async () => {
    const turned = await drawn().withMetadata({ orientation: 8 }).jpeg().toBuffer();
    const broken = Buffer.from('ffe1000e4578696600004d4d002a0000', 'hex');
    const before = (bytes: Buffer, count: number) =>
      Buffer.concat([turned.subarray(0, 2), ...Array<Buffer>(count).fill(bytes), turned.subarray(2)]);
    expect(readJpeg(before(broken, 1))).toMatchObject({ orientation: 1 });
    expect(() => readJpeg(before(Buffer.from([0xff, 0xfe, 0, 2]), 20_000))).toThrow('corrupt or cut off');
  });
});

function drawn() {
  return sharp({ create: { width: 40, height: 30, channels: 3, background: '#c81e0a' } });
}

describe('scans', () => {
  it('refuses a picture that goes over its pixels again and again', async () => {
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#a08040' } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(readJpeg(bytes)).toMatchObject({
      width: 64,
      bytesPerPixel: 9,
      passes: bytes.toString('latin1').split('\xff\xda').length - 1,
    });
    const last = bytes.lastIndexOf(Buffer.from([0xff, 0xda]));
    const scan = bytes.subarray(last, -2);
    const many = Buffer.concat([bytes.subarray(0, -2), ...Array.from({ length: 120 }, () => scan), bytes.subarray(-2)]);
    expect(() => readJpeg(many)).toThrow(/100 passes/);
    const few = Buffer.concat([bytes.subarray(0, -2), ...Array.from({ length: 20 }, () => scan), bytes.subarray(-2)]);
    expect(readJpeg(few)).toMatchObject({ width: 64 });
  });
});
