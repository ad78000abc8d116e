import { expect, it } from 'vitest';
import { glyphlessFont } from './glyphless-font.ts';

const font = glyphlessFont();
const view = new DataView(font.buffer, font.byteOffset, font.byteLength);

function sum(from: number, length: number): number {
  let total = 0;
  for (let at = from; at < from + length; at += 4) total = (total + view.getUint32(at)) >>> 0;
  return total;
}

it('is a TrueType file whose tables are where it says, with their checksums', () => {
  const tables = Array.from({ length: view.getUint16(4) }, (_, index) => {
    const at = 12 + 16 * index;
    const tag = Buffer.from(font.subarray(at, at + 4)).toString('latin1');
    return { tag, checksum: view.getUint32(at + 4), offset: view.getUint32(at + 8), length: view.getUint32(at + 12) };
  });
  expect(tables.map(({ tag }) => tag)).toEqual(tables.map(({ tag }) => tag).toSorted());
  expect(tables.map(({ tag }) => tag)).toEqual(
    expect.arrayContaining(['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp']),
  );
  for (const { tag, checksum, offset, length } of tables) {
    expect(offset % 4).toBe(0);
    expect(offset + length).toBeLessThanOrEqual(font.length);
    // That of `head` is of the table before the checksum of the whole file was entered.
    if (tag !== 'head') expect(sum(offset, Math.ceil(length / 4) * 4)).toBe(checksum);
  }
  expect(sum(0, font.length)).toBe(0xb1b0afba);
});

it('is the same at any time, and small', () => {
  expect(glyphlessFont()).toEqual(font);
  expect(font.length).toBeLessThan(600);
});
